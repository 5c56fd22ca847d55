"use client";
import type { LinkDetails, LinkPurpose } from "@stashlight/contracts/user/sign-in";
import { useEffect, useState } from "react";
import { describeError } from "./errors.ts";
import { createApiClient } from "./trpc.tsx";

export type LinkState =
  | { state: "reading" }
  | { state: "gone"; message: string }
  | { state: "open"; token: string; details: LinkDetails };

export const incompleteLink = "The link is incomplete; copy it whole, with everything after the # sign.";

/** Reads the secret from the fragment of the address, which browsers do not send, and asks what it is for. */
export function useLink(purpose: LinkPurpose): LinkState {
  const [link, setLink] = useState<LinkState>({ state: "reading" });
  useEffect(() => {
    const token = location.hash.slice(1);
    if (token === "") {
      setLink({ state: "gone", message: incompleteLink });
      return;
    }
    createApiClient()
      .link.describe.mutate({ token })
      .then((details) => {
        if (details.purpose !== purpose) setLink({ state: "gone", message: incompleteLink });
        else setLink({ state: "open", token, details });
      })
      .catch((error: unknown) => setLink({ state: "gone", message: describeError(error) }));
  }, [purpose]);
  return link;
}
