import type { Principal } from "@stashlight/contracts";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { doors } from "./doors.ts";

/** Who is signed in, asked once a request. */
export const currentPrincipal = cache(async (): Promise<Principal | null> => {
  const { platform, requestContext } = doors();
  const { principal } = await requestContext(platform, new Headers(await headers()));
  return principal;
});

/** The signed-in person; anybody else is sent to the sign-in page and comes back after. */
export async function requirePrincipal(): Promise<Principal> {
  const principal = await currentPrincipal();
  if (principal !== null) return principal;
  const path = (await headers()).get("x-stashlight-path") ?? "/";
  redirect(path === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(path)}`);
}
