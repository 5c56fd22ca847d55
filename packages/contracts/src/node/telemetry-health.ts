/** Health of the telemetry: nodes that are behind, waiting batches, gaps, and refused values. */
import type { NodeRow } from "./node.ts";

export interface NodeDelivery
  extends Pick<NodeRow, "id" | "name" | "vault" | "role" | "status" | "isSimulated" | "silentSeconds"> {
  /** End of its newest stored window; null before there is one. */
  newestAt: Date | null;
  /** Usual length of its windows; null before there is one. */
  windowMs: number | null;
  lastSeenAt: Date | null;
  spoolBytes: number | null;
  /** Offset of its clock from the console's; positive if it is ahead. */
  skewMs: number | null;
  /** Values left out of its batches since it was enrolled. */
  refusedCount: number;
}

export interface RefusedValues {
  nodeName: string;
  isSimulated: boolean;
  /** Name given by the node; empty for whole windows, or for many different names. */
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
  /** Sorted by name. */
  nodes: NodeDelivery[];
  /** Latest first, at most 200. */
  refused: RefusedValues[];
  /** Gaps of the last two days, latest first, at most 200. */
  gaps: NodeGap[];
  /** Ingest processes with a recent heartbeat. */
  ingests: { name: string; version: string; startedAt: Date; seenAt: Date; rssBytes: number }[];
}
