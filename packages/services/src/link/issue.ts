/**
 * Secret links (set-up, invitation, new password). The token is in the fragment of the address, which browsers do
 * not send, so it reaches no server log; the database keeps its hash.
 */
import { DAY_MS, HOUR_MS } from "@stashlight/contracts/time";
import type { IssuedLink, LinkPurpose, Role } from "@stashlight/contracts/user";
import type { Transaction } from "@stashlight/db";
import type { Core } from "../core.ts";
import { hashToken, newId, newToken } from "../ids.ts";

const linkLifetimeMs: Record<LinkPurpose, number> = {
  setup: HOUR_MS,
  invitation: 7 * DAY_MS,
  password: DAY_MS,
};

const paths: Record<LinkPurpose, string> = {
  setup: "/setup",
  invitation: "/join",
  password: "/new-password",
};

export interface LinkRequest {
  purpose: LinkPurpose;
  email?: string;
  role?: Role;
  userId?: string;
  createdBy?: { id: string; name: string };
}

/** Creates a link and ends every open one that it replaces. Only the caller learns the address. */
export async function issueLink(
  tx: Transaction,
  platform: Pick<Core, "now"> & { options: { publicUrl: string } },
  request: LinkRequest,
): Promise<IssuedLink & { id: string }> {
  const now = platform.now();
  const token = newToken();
  const id = newId();
  const expiresAt = new Date(now.getTime() + linkLifetimeMs[request.purpose]);
  await tx.oneTimeLink.updateMany({
    where: {
      purpose: request.purpose,
      email: request.email ?? null,
      userId: request.userId ?? null,
      usedAt: null,
      revokedAt: null,
    },
    data: { revokedAt: now },
  });
  await tx.oneTimeLink.create({
    data: {
      id,
      purpose: request.purpose,
      tokenHash: hashToken(token),
      email: request.email ?? null,
      role: request.role ?? null,
      userId: request.userId ?? null,
      createdById: request.createdBy?.id ?? null,
      createdByName: request.createdBy?.name ?? null,
      createdAt: now,
      expiresAt,
    },
  });
  return { id, url: `${platform.options.publicUrl}${paths[request.purpose]}#${token}`, expiresAt };
}
