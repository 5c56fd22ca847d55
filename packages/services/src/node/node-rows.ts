import type { EnrolmentTokenRow, ListeningSpan, NodeKeyRow, NodeRow } from "@stashlight/contracts/node";
import type { Prisma } from "@stashlight/db";
import { enrolmentTokenColumns, nodeColumns } from "@stashlight/db/columns/node";
import { nodeSilence } from "./silence.ts";

export function toNodeRow(node: Prisma.NodeGetPayload<object>, listening: ListeningSpan | null): NodeRow {
  return {
    id: node.id,
    name: node.name,
    vault: node.vault,
    role: nodeColumns.role.read(node.role, node.id),
    status: nodeColumns.status.read(node.status, node.id),
    isSimulated: node.isSimulated,
    agentVersion: node.agentVersion,
    enrolmentTokenId: node.enrolmentTokenId,
    createdAt: node.createdAt,
    lastSeenAt: node.lastSeenAt,
    silentSeconds: nodeSilence(node, listening),
    skewMs: node.skewMs,
    spoolBytes: node.spoolBytes === null ? null : Number(node.spoolBytes),
    s3: node.s3Url === null || node.s3Region === null ? null : { url: node.s3Url, region: node.s3Region },
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
    role: enrolmentTokenColumns.role.read(token.role, token.id),
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
