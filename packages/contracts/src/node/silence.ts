/**
 * Decides which nodes are silent, and describes them. A node is silent for the time in which an ingest listened without
 * receiving its reports; an ingest that was down, just restarted or suspended with its machine makes no node silent.
 * Pure.
 */

import { formatMetricValue } from "../metrics/format-value.ts";
import { silenceMarks } from "../thresholds.ts";
import { HOUR_SECONDS, MINUTE_SECONDS } from "../time/duration.ts";

/** An ingest, known by its heartbeat. */
export interface IngestHeartbeat {
  /** Time since which its heartbeats have had no gap. */
  readonly steadySinceMs: number;
  readonly seenAtMs: number;
}

/** Period in which an ingest listened. */
export interface ListeningSpan {
  readonly sinceMs: number;
  readonly toMs: number;
}

/** Null if no ingest listens. */
export function findListeningSpan(ingests: readonly IngestHeartbeat[], nowMs: number): ListeningSpan | null {
  if (ingests.length === 0) return null;
  // An ingest still listens between two heartbeats; without the next one nothing is known since the last.
  const living = ingests.filter(({ seenAtMs }) => nowMs - seenAtMs <= silenceMarks.ingestHeartbeatMs);
  const known = living.length > 0 ? living : ingests;
  const sinceMs = Math.min(...known.map(({ steadySinceMs }) => steadySinceMs));
  const toMs = living.length > 0 ? nowMs : Math.max(...known.map(({ seenAtMs }) => seenAtMs));
  return toMs <= sinceMs ? null : { sinceMs, toMs };
}

/**
 * Time from which a node's next report was due. A node whose reports the ingest has received is connected and reports
 * every ten seconds; one last seen before that may still wait to retry.
 */
const expectedFromMs = (lastSeenMs: number, sinceMs: number): number =>
  lastSeenMs >= sinceMs ? lastSeenMs : sinceMs + silenceMarks.restartGraceMs;

/** Returns how long a node was silent while an ingest listened; null if that is too short to call it silent. */
export function silentSeconds(lastSeenMs: number, listening: ListeningSpan | null): number | null {
  if (
    listening === null ||
    listening.toMs - expectedFromMs(lastSeenMs, listening.sinceMs) < silenceMarks.shownAfterMs
  ) {
    return null;
  }
  return (listening.toMs - lastSeenMs) / 1000;
}

/** False for probes, which measure drives and report nothing about their vault. */
export const reportsAboutVault = ({ role }: { readonly role: string }): boolean => role !== "probe";

/** Silent nodes of a vault. */
export interface VaultSilence {
  vault: string;
  /** Its active nodes that have ever reported. */
  nodeCount: number;
  silentCount: number;
  /** Shortest silence among the silent nodes. */
  seconds: number;
  /** Names of all silent nodes. */
  nodes: string[];
  /** Alerts already fire for each of them. */
  isAlerted: boolean;
}

const SILENT_NODES_NAMED_MAX = 3;

/** True if no node of the vault reports, so that all its figures are outdated. */
export const isWhollySilent = ({
  nodeCount,
  silentCount,
}: Pick<VaultSilence, "nodeCount" | "silentCount">): boolean => silentCount > 0 && silentCount === nodeCount;

/**
 * Returns the silence of the node or vault that these labels name, if the node or every node of the vault is silent;
 * else null.
 */
export function silenceOfLabels(
  { node, vault }: Readonly<Record<string, string>>,
  silences: readonly VaultSilence[],
): number | null {
  const silence = silences.find((each) =>
    node === undefined ? each.vault === vault && isWhollySilent(each) : each.nodes.includes(node),
  );
  return silence?.seconds ?? null;
}

/** Formats in whole units, rounded down, so that the time counts up without fractions: "25 s", "2 min", "3 h". */
function formatSilentFor(seconds: number): string {
  const unit = [HOUR_SECONDS, MINUTE_SECONDS].find((each) => seconds >= each) ?? 1;
  return formatMetricValue("seconds", Math.floor(seconds / unit) * unit);
}

/** Formats "no data for 25 s". */
export const describeSilentFor = (seconds: number): string => `no data for ${formatSilentFor(seconds)}`;

/** Formats "No data from vault local for 25 s", or names its silent nodes. */
export function describeSilence(silence: VaultSilence): string {
  const { vault, nodeCount, silentCount, seconds, nodes } = silence;
  const time = formatSilentFor(seconds);
  if (isWhollySilent(silence)) return `No data from vault ${vault} for ${time}`;
  const named = nodes.slice(0, SILENT_NODES_NAMED_MAX).join(", ");
  const more = Math.max(0, silentCount - SILENT_NODES_NAMED_MAX);
  const rest = more > 0 ? ` and ${more} more` : "";
  return `No data from ${silentCount} of ${nodeCount} nodes of vault ${vault} for ${time}: ${named}${rest}`;
}
