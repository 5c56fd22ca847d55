"use client";
import type { LinkDetails, LinkPurpose } from "@stashlight/contracts/user";
import { useEffect, useState } from "react";
import { describeError } from "./errors.ts";
import { createApiClient } from "./trpc.tsx";

export type LinkState =
  | { state: "reading" }
  | { state: "gone"; message: string }
  | { state: "open"; token: string; details: LinkDetails };

export const incompleteLink = "The link is incomplete; copy it whole, with everything after the # sign.";

async function readLink(token: string, purpose: LinkPurpose): Promise<LinkState> {
  if (token === "") return { state: "gone", message: incompleteLink };
  try {
    const details = await createApiClient().link.describe.mutate({ token });
    if (details.purpose !== purpose) return { state: "gone", message: incompleteLink };
    return { state: "open", token, details };
  } catch (error) {
    return { state: "gone", message: describeError(error) };
  }
}

/**
 * Reads the secret from the fragment of the address, which browsers do not send, and asks the server what it is for.
 * Listens for changes of the fragment, because pasting a link over an open one loads no page.
 */
export function useLink(purpose: LinkPurpose): LinkState {
  const [link, setLink] = useState<LinkState>({ state: "reading" });
  useEffect(() => {
    let newest = "";
    const read = () => {
      const token = location.hash.slice(1);
      newest = token;
      setLink({ state: "reading" });
      void readLink(token, purpose).then((state) => {
        if (token === newest) setLink(state);
      });
    };
    read();
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, [purpose]);
  return link;
}
