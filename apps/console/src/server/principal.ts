import type { Principal } from "@stashlight/contracts/user";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { signInPath } from "../client/sign-in.ts";
import { doors } from "./doors.ts";

/** Identity and client address of a request, resolved once. */
export const currentContext = cache(async () => {
  const { platform, requestContext } = doors();
  return requestContext(platform, new Headers(await headers()));
});

export const currentPrincipal = async (): Promise<Principal | null> => (await currentContext()).principal;

/** Dashboard that the reader's "/" shows, or null; the frame and the page both use it. */
export const currentStartDashboardId = cache(async () =>
  doors().readStartDashboardId({ ctx: await currentContext() }),
);

/** The signed-in user; sends other visitors to the sign-in page, from which they return. */
export async function requirePrincipal(): Promise<Principal> {
  const principal = await currentPrincipal();
  if (principal !== null) return principal;
  redirect(signInPath((await headers()).get("x-stashlight-path") ?? "/"));
}
