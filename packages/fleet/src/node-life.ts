/** Uptimes of the fleet's agents: each restarts occasionally, and some are offline for a while. */
import { DAY_MS, MINUTE_MS } from "@stashlight/contracts/time";
import type { FleetNode } from "./plan.ts";
import { uniform } from "./random.ts";

const START_EVERY_MS = 5 * DAY_MS;
const SILENCE_EVERY_MS = 6 * DAY_MS;
/** Share of nodes that are offline once in each period; the others deliver everything. */
const SILENT_SHARE = 0.3;

/** Returns the start time of the agent that runs at this moment, in milliseconds since 1970. */
export function bootMsAt({ index }: FleetNode, atMs: number): number {
  const phaseMs = uniform(index, 11) * START_EVERY_MS;
  return Math.floor(Math.floor((atMs - phaseMs) / START_EVERY_MS) * START_EVERY_MS + phaseMs);
}

export interface Silence {
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Returns the node's offline period, whose windows are lost, in the six days (SILENCE_EVERY_MS) that contain this
 * moment; null if there is none or it begins later.
 */
export function silenceBefore({ index }: FleetNode, atMs: number): Silence | null {
  const epoch = Math.floor(atMs / SILENCE_EVERY_MS);
  if (uniform(index, epoch, 12) > SILENT_SHARE) return null;
  const startMs = Math.floor((epoch + 0.9 * uniform(index, epoch, 13)) * SILENCE_EVERY_MS);
  const endMs = startMs + Math.floor((5 + 20 * uniform(index, epoch, 14)) * MINUTE_MS);
  return startMs <= atMs ? { startMs, endMs } : null;
}

export function isSilent(node: FleetNode, atMs: number): boolean {
  const silence = silenceBefore(node, atMs);
  return silence !== null && atMs < silence.endMs;
}
