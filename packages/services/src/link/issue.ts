/**
 * Secret links (set-up, invitation, new password). The token is in the fragment of the address, which browsers do
 * not send, so it reaches no server log; the database keeps its hash.
 */
import type { IssuedLink, LinkPurpose, Role } from "@stashlight/contracts";
import type { Transaction } from "@stashlight/db";
import { hashToken, newId, newToken } from "../ids.ts";
import type { Platform } from "../platform.ts";

export const linkLifetimeMs: Record<LinkPurpose, number> = {
  setup: 3_600_000,
  invitation: 7 * 24 * 3_600_000,
  password: 24 * 3_600_000,
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

/** Makes a link and ends every open one that it replaces. The address is known only to the caller. */
export async function issueLink(
  tx: Transaction,
  platform: Pick<Platform, "now"> & { options: { publicUrl: string } },
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
