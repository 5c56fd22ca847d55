import type { Principal } from "@stashlight/contracts/user";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { signInPath } from "../client/sign-in.ts";
import { doors } from "./doors.ts";

/** Who asks and from where, found out once a request. */
export const currentContext = cache(async () => {
  const { platform, requestContext } = doors();
  return requestContext(platform, new Headers(await headers()));
});

export const currentPrincipal = async (): Promise<Principal | null> => (await currentContext()).principal;

/** The dashboard that the reader's "/" leads to, or null; the frame and the page both ask. */
export const currentStartDashboardId = cache(async () =>
  doors().readStartDashboardId({ ctx: await currentContext() }),
);

/** The signed-in person; anybody else is sent to the sign-in page and comes back after. */
export async function requirePrincipal(): Promise<Principal> {
  const principal = await currentPrincipal();
  if (principal !== null) return principal;
  redirect(signInPath((await headers()).get("x-stashlight-path") ?? "/"));
}
