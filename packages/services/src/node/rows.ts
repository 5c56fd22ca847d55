import type { EnrolmentTokenRow, NodeKeyRow, NodeRole, NodeRow, NodeStatus } from "@stashlight/contracts";
import type { Prisma } from "@stashlight/db";

/** The table's constraints hold role and status to their closed lists. */
export function toNodeRow(node: Prisma.NodeGetPayload<object>): NodeRow {
  return {
    id: node.id,
    name: node.name,
    vault: node.vault,
    role: node.role as NodeRole,
    status: node.status as NodeStatus,
    isSimulated: node.isSimulated,
    agentVersion: node.agentVersion,
    enrolmentTokenId: node.enrolmentTokenId,
    createdAt: node.createdAt,
    lastSeenAt: node.lastSeenAt,
    skewMs: node.skewMs,
    spoolBytes: node.spoolBytes === null ? null : Number(node.spoolBytes),
  };
}

export function toKeyRow(key: Prisma.NodeKeyGetPayload<object>): NodeKeyRow {
  return {
    id: key.id,
    lastCharacters: key.lastCharacters,
    createdAt: key.createdAt,
    expiresAt: key.expiresAt,
    revokedAt: key.revokedAt,
  };
}

export function toTokenRow(token: Prisma.EnrolmentTokenGetPayload<object>): EnrolmentTokenRow {
  return {
    id: token.id,
    lastCharacters: token.lastCharacters,
    vault: token.vault,
    role: token.role as NodeRole,
    useCount: token.useCount,
    useCountMax: token.useCountMax,
    isAutoApproved: token.isAutoApproved,
    mayReplace: token.mayReplace,
    isSimulated: token.isSimulated,
    createdBy: token.createdByName,
    createdAt: token.createdAt,
    expiresAt: token.expiresAt,
  };
}
