/**
 * Who asks, from where, and on what installation: the `ctx` of every verb. Verbs check the role themselves
 * (`requireRole`), so that no caller can forget to.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import type { Principal } from "@stashlight/contracts/user";
import { type Role, roleIncludes } from "@stashlight/contracts/user/roles";
import type { Core } from "./core.ts";

export interface RequestOrigin {
  ipAddress: string;
  userAgent: string;
}

/** `Needs` names what of the platform a verb asks for; most need its core alone. */
export interface Context<Needs = Core> {
  platform: Needs;
  principal: Principal | null;
  origin: RequestOrigin;
}

export interface Verb<Input, Needs = Core> {
  ctx: Context<Needs>;
  input: Input;
}

/** The signed-in person, if their role includes `needed`; otherwise a sentence that names the role. */
export function requireRole(ctx: Context<unknown>, needed: Role): Principal {
  if (ctx.principal === null) {
    throw new StashlightError("unauthenticated", "Sign in to continue.");
  }
  if (!roleIncludes(ctx.principal.role, needed)) {
    throw new StashlightError(
      "forbidden",
      `You need the ${needed} role for this; yours is ${ctx.principal.role}. Ask an admin to change it.`,
    );
  }
  return ctx.principal;
}
