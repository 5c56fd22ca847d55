/**
 * Who asks, from where, and on what installation: the `ctx` of every verb. Verbs check the role themselves
 * (`requireRole`), so that no caller can forget to.
 */
import { type Principal, type Role, roleIncludes, StashlightError } from "@stashlight/contracts";
import type { Platform } from "./platform.ts";

export interface RequestOrigin {
  ipAddress: string;
  userAgent: string;
}

export interface Context {
  platform: Platform;
  principal: Principal | null;
  origin: RequestOrigin;
}

export interface Verb<Input> {
  ctx: Context;
  input: Input;
}

/** The signed-in person, if their role includes `needed`; otherwise a sentence that names the role. */
export function requireRole(ctx: Context, needed: Role): Principal {
  if (ctx.principal === null) {
    throw new StashlightError("unauthenticated", "Sign in to continue.");
  }
  if (!roleIncludes(ctx.principal.role, needed)) {
    throw new StashlightError(
      "forbidden",
      `This needs the role ${needed}; you are ${ctx.principal.role}. Ask an admin for it.`,
    );
  }
  return ctx.principal;
}
