/**
 * Gives figures the state of the alert rules that watch them, and of their vault's silence. A tile is never green while a
 * rule about its figure fires, and has no verdict while nothing of its vault is heard.
 */
import type { FiringAlert } from "@stashlight/contracts/alert/event";
import type { MetricName } from "@stashlight/contracts/metrics";
import { describeSilentFor, isWhollySilent, type VaultSilence } from "@stashlight/contracts/node/silence";
import type { Status } from "@stashlight/ui";
import { severityStatus } from "../../../client/firing-count.ts";
import type { VaultFigure } from "./figure.ts";

/** Alerts and silences of now; empty for a page that shows the past. */
export interface VaultState {
  readonly firing: readonly FiringAlert[];
  readonly silences: readonly VaultSilence[];
}

/** Names of the silent nodes of all vaults; a name is of one node. */
export const silentNodes = ({ silences }: Pick<VaultState, "silences">): ReadonlySet<string> =>
  new Set(silences.flatMap(({ nodes }) => nodes));

export const noVaultState: VaultState = { firing: [], silences: [] };

interface Watched {
  readonly metrics: readonly MetricName[];
  /** Rules that compare a forecast of the metrics; otherwise those that compare the metrics themselves. */
  readonly isForecast?: boolean;
  /** Rules about other values of a label watch something else. */
  readonly where?: Readonly<Record<string, string>>;
}

/** The rules that watch a figure, by what they ask. */
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
  drives: {
    metrics: ["stashlight_drive_running", "stashlight_drive_failures_total", "stashlight_fsync_errors_total"],
  },
};

/** Decides whether the alert's rule watches the figure of this vault. */
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
const rankOf = (status: Status | undefined): number => (status === undefined ? 0 : (ranks[status] ?? 0));

/** The state of the worst of these alerts, or the given one if that is worse. */
export const worstOfRules = (
  alerts: readonly Pick<FiringAlert, "severity">[],
  status: Status | undefined,
): Status | undefined =>
  alerts
    .map(({ severity }) => severityStatus[severity])
    .reduce<Status | undefined>((worst, each) => (rankOf(each) > rankOf(worst) ? each : worst), status);

/** The state of the rules that watch a figure, or the given one if that is worse. */
export function stateOfRules(
  id: string,
  status: Status | undefined,
  { firing }: Pick<VaultState, "firing">,
  vault: string,
): Status | undefined {
  return worstOfRules(
    firing.filter((alert) => alert.status === "firing" && watches(alert, id, vault)),
    status,
  );
}

/**
 * The figures of a vault with the state of their rules, without a verdict while the vault is silent, and without a good
 * one while some of its nodes are: what those would report is unknown.
 */
export function applyVaultState(
  figures: readonly VaultFigure[],
  state: VaultState,
  vault: string,
): VaultFigure[] {
  const silence = state.silences.find((each) => each.vault === vault);
  const isWhole = silence !== undefined && isWhollySilent(silence);
  return figures.map((figure) => {
    const judged = stateOfRules(figure.id, figure.status, state, vault);
    const status = silence !== undefined && judged === "good" ? "unknown" : judged;
    return {
      ...figure,
      vault,
      ...(status === undefined ? {} : { status }),
      ...(isWhole ? { silence: describeSilentFor(silence.seconds) } : {}),
    };
  });
}
