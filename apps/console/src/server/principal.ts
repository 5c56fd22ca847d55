import type { Principal } from "@stashlight/contracts/user";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { signInPath } from "../client/sign-in.ts";
import { doors } from "./doors.ts";

/** Identity and address of a request, resolved once. */
export const currentContext = cache(async () => {
  const { platform, requestContext } = doors();
  return requestContext(platform, new Headers(await headers()));
});

export const currentPrincipal = async (): Promise<Principal | null> => (await currentContext()).principal;

/** Dashboard of the reader's "/", or null; used by the frame and the page. */
export const currentStartDashboardId = cache(async () =>
  doors().readStartDashboardId({ ctx: await currentContext() }),
);

/** The signed-in user; other visitors are sent to the sign-in page and return afterwards. */
export async function requirePrincipal(): Promise<Principal> {
  const principal = await currentPrincipal();
  if (principal !== null) return principal;
  redirect(signInPath((await headers()).get("x-stashlight-path") ?? "/"));
}
