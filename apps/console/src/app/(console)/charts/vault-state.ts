/**
 * Applies firing alert rules and the vault's silence to its figures. A tile is never green while a rule about its
 * figure fires, and has no verdict while its vault is silent.
 */
import type { FiringAlert } from "@stashlight/contracts/alert";
import type { MetricName } from "@stashlight/contracts/metrics";
import { describeSilentFor, isWhollySilent, type VaultSilence } from "@stashlight/contracts/node";
import type { Status } from "@stashlight/ui";
import { severityStatus } from "../../../client/firing-count.ts";
import type { VaultFigure } from "./figure.ts";

/** Current alerts and silences; empty for a page that shows the past. */
export interface VaultState {
  readonly firing: readonly FiringAlert[];
  readonly silences: readonly VaultSilence[];
}

/** Names of the silent nodes of all vaults; node names are unique. */
export const silentNodes = ({ silences }: Pick<VaultState, "silences">): ReadonlySet<string> =>
  new Set(silences.flatMap(({ nodes }) => nodes));

export const noVaultState: VaultState = { firing: [], silences: [] };

interface Watched {
  readonly metrics: readonly MetricName[];
  /** True if the rules compare a forecast of the metrics, not the metrics themselves. */
  readonly isForecast?: boolean;
  /** Ignores rules about other values of these labels. */
  readonly where?: Readonly<Record<string, string>>;
}

/** Queries of the rules that watch each figure. */
export const watchedFigures: Readonly<Record<string, Watched>> = {
  occupancy: { metrics: ["stashlight_stash_used_bytes", "stashlight_stash_live_bytes"] },
  "time-to-full": {
    metrics: ["stashlight_stash_live_bytes", "stashlight_stash_used_bytes"],
    isForecast: true,
  },
  "purge-lag": { metrics: ["stashlight_purge_lag_seconds"] },
  oldest: { metrics: ["stashlight_stash_oldest_unpurged_seconds"] },
  free: { metrics: ["stashlight_stash_free_segments"] },
  "fsync-ssd": { metrics: ["stashlight_fsync_seconds"], where: { tier: "stash" } },
  "fsync-hdd": { metrics: ["stashlight_fsync_seconds"], where: { tier: "pod" } },
  "upload-stash": { metrics: ["stashlight_upload_seconds"], where: { path: "stash" } },
  "upload-direct": { metrics: ["stashlight_upload_seconds"], where: { path: "direct" } },
  fallbacks: { metrics: ["stashlight_fallbacks_total"] },
  margin: { metrics: ["stashlight_durable_missing_shards", "stashlight_durable_margin_shards"] },
  "vault-full": { metrics: ["stashlight_vault_taken_bytes"] },
  "vault-time-to-full": { metrics: ["stashlight_vault_taken_bytes"], isForecast: true },
  objects: { metrics: ["stashlight_pod_index_ratio"] },
  drives: {
    metrics: ["stashlight_drive_running", "stashlight_drive_failures_total", "stashlight_fsync_errors_total"],
  },
};

/** Returns true if the alert's rule watches this figure of this vault. */
export function watches({ watched, vault }: FiringAlert, id: string, ofVault: string): boolean {
  const figure = watchedFigures[id];
  if (figure === undefined || vault !== ofVault) return false;
  const { metrics, isForecast = false, where = {} } = figure;
  return (
    metrics.includes(watched.metric) &&
    watched.isForecast === isForecast &&
    Object.entries(where).every(([label, value]) => watched.where[label]?.includes(value) ?? true)
  );
}

const ranks: Partial<Record<Status, number>> = { info: 1, warning: 2, bad: 3 };
const statusRank = (status: Status | undefined): number => (status === undefined ? 0 : (ranks[status] ?? 0));

interface RuledState<Given extends Status | undefined> {
  readonly status: Given | Status;
  /** Alert that makes the status worse than the value alone; null if there is none. */
  readonly reason: FiringAlert | null;
}

/** Worst of these alerts and the given status, which considers the value alone. */
export const worstOfRules = <Given extends Status | undefined>(
  alerts: readonly FiringAlert[],
  status: Given,
): RuledState<Given> =>
  alerts.reduce<RuledState<Given>>(
    (worst, alert) => {
      const each = severityStatus[alert.severity];
      return statusRank(each) > statusRank(worst.status) ? { status: each, reason: alert } : worst;
    },
    { status, reason: null },
  );

export interface ExplainedState<Given extends Status | undefined> {
  readonly status: Given | Status;
  /** "alert ends in 2 min": why the status is worse than the value; null if the value explains it. */
  readonly why: string | null;
}

/** Worst of the given status and the firing rules that watch the figure. */
export function stateOfRules<Given extends Status | undefined>(
  id: string,
  own: Given,
  { firing }: Pick<VaultState, "firing">,
  vault: string,
): ExplainedState<Given> {
  const { status, reason } = worstOfRules(
    firing.filter((alert) => alert.status === "firing" && watches(alert, id, vault)),
    own,
  );
  return { status, why: reason === null ? null : describeAlert(reason) };
}

const describeAlert = ({ ruleName, incidentEnd }: FiringAlert): string =>
  incidentEnd === null ? `alert ${ruleName} fires` : `alert ${incidentEnd}`;

/**
 * Applies the rules to a vault's figures: no verdict while the vault is silent, and no good one while some of its nodes
 * are, because their part is unknown.
 */
export function applyVaultState(
  figures: readonly VaultFigure[],
  state: VaultState,
  vault: string,
): VaultFigure[] {
  const silence = state.silences.find((each) => each.vault === vault);
  const isWhole = silence !== undefined && isWhollySilent(silence);
  return figures.map((figure) => {
    const { status: judged, why } = stateOfRules(figure.id, figure.status, state, vault);
    const status = silence !== undefined && judged === "good" ? "unknown" : judged;
    return {
      ...figure,
      vault,
      ...(status === undefined ? {} : { status }),
      ...(why === null ? {} : { detail: [why, figure.detail ?? []].flat().join("; ") }),
      ...(isWhole ? { silence: describeSilentFor(silence.seconds) } : {}),
    };
  });
}
