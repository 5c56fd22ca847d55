import { StashlightError } from "@stashlight/contracts/errors";
import type { LinkPurpose } from "@stashlight/contracts/user";
import type { Transaction } from "@stashlight/db";
import { hashToken } from "../ids.ts";

const names: Record<LinkPurpose, string> = {
  setup: "set-up link",
  invitation: "invitation",
  password: "password link",
};
const remedies: Record<LinkPurpose, string> = {
  setup: "Start Stashlight again to get another.",
  invitation: "Ask the person who invited you for another.",
  password: "Ask an admin for another.",
};

export function linkGone(purpose: LinkPurpose, why: string): StashlightError {
  return new StashlightError("link_expired", `This ${names[purpose]} ${why}. ${remedies[purpose]}`);
}

/**
 * Uses up a link. Of two concurrent requests with the same link one succeeds, and the other is refused because the link
 * was used.
 */
export async function redeemLink(tx: Transaction, purpose: LinkPurpose, token: string, now: Date) {
  const tokenHash = hashToken(token);
  const { count } = await tx.oneTimeLink.updateMany({
    where: { tokenHash, purpose, usedAt: null, revokedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  const link = await tx.oneTimeLink.findUnique({ where: { tokenHash } });
  if (link === null || link.purpose !== purpose) throw linkGone(purpose, "is not known");
  if (count === 1) return link;
  throw linkGone(purpose, whyGone(link, now));
}

export function whyGone(
  link: { usedAt: Date | null; revokedAt: Date | null; expiresAt: Date },
  now: Date,
): string {
  if (link.usedAt !== null) return "was used already";
  if (link.revokedAt !== null) return "was replaced or revoked";
  return link.expiresAt <= now ? "has expired" : "is not valid";
}
