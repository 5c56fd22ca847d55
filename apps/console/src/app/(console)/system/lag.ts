/** Judges the lag of nodes, and summarises what needs attention. */
import type { NodeDelivery, TelemetryHealth } from "@stashlight/contracts/node";
import type { Status } from "@stashlight/ui";
import { isClockWrong } from "../../../client/clocks.ts";

export interface Lag {
  /** Time since the end of the newest stored window; null if there is none. */
  readonly ms: number | null;
  readonly status: Status;
  readonly words: string;
}

/** A node is late once its newest stored window is older than this number of windows. */
const WINDOWS_LATE = 3;
const LATE_MS_MIN = 35_000;
const LOST_MS = 600_000;

/** A probe sends job results, and no windows. */
const sendsWindows = ({ role, newestAt }: NodeDelivery): boolean => role !== "probe" || newestAt !== null;

export function nodeLag(node: NodeDelivery, nowMs: number): Lag {
  const { status, newestAt, windowMs, silentSeconds } = node;
  if (status !== "active") {
    return { ms: null, status: "unknown", words: status === "pending" ? "waits for approval" : "revoked" };
  }
  if (!sendsWindows(node)) return { ms: null, status: "unknown", words: "sends results only" };
  if (isClockWrong(node))
    return { ms: lagOfWrongClock(node, nowMs), status: "warning", words: "wrong clock" };
  if (newestAt === null) return { ms: null, status: "info", words: "nothing yet" };
  const ms = Math.max(0, nowMs - newestAt.getTime());
  if (silentSeconds !== null || ms > LOST_MS) return { ms, status: "bad", words: "silent" };
  const isLate = ms > Math.max(LATE_MS_MIN, WINDOWS_LATE * (windowMs ?? 0));
  return isLate ? { ms, status: "warning", words: "late" } : { ms, status: "good", words: "live" };
}

/** Lag of a node that dates windows by its own clock; null if its clock has jumped since the newest stored window. */
function lagOfWrongClock({ newestAt, skewMs }: NodeDelivery, nowMs: number): number | null {
  if (newestAt === null) return null;
  const ms = Math.max(0, nowMs + (skewMs ?? 0) - newestAt.getTime());
  return ms > LOST_MS ? null : ms;
}

/** Keeps reports about nodes in these vaults; undefined keeps all. */
export function withinVaults(
  health: TelemetryHealth,
  vaults: readonly string[] | undefined,
): TelemetryHealth {
  if (vaults === undefined) return health;
  const nodes = health.nodes.filter(({ vault }) => vaults.includes(vault));
  const names = new Set(nodes.map(({ name }) => name));
  const isOfThem = ({ nodeName }: { readonly nodeName: string }) => names.has(nodeName);
  return { ...health, nodes, refused: health.refused.filter(isOfThem), gaps: health.gaps.filter(isOfThem) };
}

export interface DeliverySummary {
  /** Counts nodes that should send windows. */
  readonly activeCount: number;
  readonly liveCount: number;
  /** Simulated nodes among the active ones. */
  readonly simulatedCount: number;
  readonly lagMsMax: number | null;
  readonly spoolBytes: number;
  readonly skewMsMax: number | null;
  readonly refusedCount: number;
}

export function summarise(nodes: readonly NodeDelivery[], nowMs: number): DeliverySummary {
  const active = nodes.filter((node) => node.status === "active" && sendsWindows(node));
  const lags = active.map((node) => nodeLag(node, nowMs));
  const greatest = (values: readonly (number | null)[]): number | null =>
    values.reduce<number | null>((most, value) => (value === null ? most : Math.max(most ?? 0, value)), null);
  return {
    activeCount: active.length,
    liveCount: lags.filter(({ status }) => status === "good").length,
    simulatedCount: active.filter(({ isSimulated }) => isSimulated).length,
    lagMsMax: greatest(lags.map(({ ms }) => ms)),
    spoolBytes: active.reduce((sum, { spoolBytes }) => sum + (spoolBytes ?? 0), 0),
    skewMsMax: greatest(active.map(({ skewMs }) => (skewMs === null ? null : Math.abs(skewMs)))),
    refusedCount: nodes.reduce((sum, node) => sum + node.refusedCount, 0),
  };
}
