import { StashlightError } from "@stashlight/contracts/errors";
import type { LinkDetails } from "@stashlight/contracts/user";
import type { Verb } from "../context.ts";
import { hashToken } from "../ids.ts";
import { enforceRateLimit } from "../rate-limit/consume.ts";
import { statementsIn } from "../statements-in.ts";
import { linkGone, whyGone } from "./redeem.ts";

export const linkRateLimit = { windowSeconds: 60, requestCountMax: 60 };

/** Previews a link for its holder; throws `link_expired` if it is used, revoked or too old. */
export async function describeLink({ ctx, input }: Verb<{ token: string }>): Promise<LinkDetails> {
  const { db, now } = ctx.platform;
  await enforceRateLimit(statementsIn(db), `link:${ctx.origin.ipAddress}`, linkRateLimit, now());
  const link = await db.oneTimeLink.findUnique({ where: { tokenHash: hashToken(input.token) } });
  if (link === null) {
    throw new StashlightError("link_expired", "This link is not known; check that it was copied whole.");
  }
  if (link.usedAt !== null || link.revokedAt !== null || link.expiresAt <= now()) {
    throw linkGone(link.purpose, whyGone(link, now()));
  }
  return {
    purpose: link.purpose,
    expiresAt: link.expiresAt,
    email: link.email,
    role: link.role,
    invitedBy: link.createdByName,
  };
}
