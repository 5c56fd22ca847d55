/**
 * Context (`ctx`) of every verb: the user, the client address and the installation. Verbs check the role themselves
 * (`requireRole`), so that no caller can forget it.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import { type Principal, type Role, roleIncludes } from "@stashlight/contracts/user";
import type { z } from "zod";
import type { Core } from "./core.ts";

export interface RequestOrigin {
  ipAddress: string;
  userAgent: string;
}

/** `Needs` names the parts of the platform that a verb uses; most need only the core. */
export interface Context<Needs = Core> {
  platform: Needs;
  principal: Principal | null;
  origin: RequestOrigin;
}

/** `Input` may be a schema, whose output the verb gets. */
export interface Verb<Input, Needs = Core> {
  ctx: Context<Needs>;
  input: Input extends z.ZodType ? z.output<Input> : Input;
}

/** Returns the signed-in person if their role includes `needed`; otherwise throws an error that names the role. */
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
