/** How what agents measure gets here: who is behind, what waits, what is missing and what was refused. */
import type { NodeRow } from "./node.ts";

export interface NodeDelivery
  extends Pick<NodeRow, "id" | "name" | "vault" | "role" | "status" | "isSimulated"> {
  /** End of the newest window that is stored; null before there is one. */
  newestAt: Date | null;
  /** Usual length of its windows; null before there is one. */
  windowMs: number | null;
  lastSeenAt: Date | null;
  spoolBytes: number | null;
  /** How far its clock is ahead of ours. */
  skewMs: number | null;
  /** Values that were left out of its batches, ever. */
  refusedCount: number;
}

export interface RefusedValues {
  nodeName: string;
  isSimulated: boolean;
  /** As the node named it; empty for whole windows, or for many different names. */
  metric: string;
  reason: string;
  count: number;
  lastAt: Date;
}

export interface NodeGap {
  nodeName: string;
  isSimulated: boolean;
  startAt: Date;
  endAt: Date;
  reason: string;
}

export interface TelemetryHealth {
  readAt: Date;
  /** By name. */
  nodes: NodeDelivery[];
  /** The latest first, at most 200. */
  refused: RefusedValues[];
  /** The gaps of the last two days, the latest first, at most 200. */
  gaps: NodeGap[];
  /** Processes of the ingest that gave a sign of life a moment ago. */
  ingests: { name: string; version: string; startedAt: Date; seenAt: Date; rssBytes: number }[];
}
