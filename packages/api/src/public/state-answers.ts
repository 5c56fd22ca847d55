/** Formats alerts and vaults for the public API, as pure functions. */
import type { FiringAlert } from "@stashlight/contracts/alert";
import type { SystemHealth } from "@stashlight/contracts/health";
import type { ApiAlert, ApiVault } from "@stashlight/contracts/public-api";
import { describeSpace } from "@stashlight/contracts/space";
import type { VaultDurability } from "@stashlight/contracts/vault-state";
import type { SlowDrive } from "@stashlight/services/alert";
import type { ForecastVaultRow } from "@stashlight/services/vault";

/** Reports `seconds-ago` as `seconds`; the figures' names mark them as ages. */
export const toApiHealth = ({ checks, ...health }: SystemHealth) => ({
  ...health,
  checks: checks.map((check) => ({
    ...check,
    figures: check.figures.map(({ unit, ...figure }) => ({
      ...figure,
      ...(unit === undefined ? {} : { unit: unit === "seconds-ago" ? ("seconds" as const) : unit }),
    })),
  })),
});

/** One alert per rule and vault, in the order of their first groups. */
export function toApiAlerts(groups: readonly FiringAlert[], publicUrl: string): ApiAlert[] {
  const incidents = Map.groupBy(groups, ({ ruleId, vault }) => `${ruleId} ${vault}`);
  return [...incidents.values()].flatMap((all): ApiAlert[] => {
    const firing = all.filter(({ status }) => status === "firing");
    const members = firing.length > 0 ? firing : all;
    const worst = members.find(({ isWorst }) => isWorst) ?? members[0];
    if (worst === undefined) return [];
    const { acknowledged, silencedUntil, inhibitedBy } = worst;
    const since = new Date(Math.min(...members.map((member) => member.since.getTime())));
    return [
      {
        ruleId: worst.ruleId,
        rule: worst.ruleName,
        severity: worst.severity,
        vault: worst.vault,
        state: worst.status,
        sentence: worst.incidentSummary,
        unit: worst.unit,
        inhibitedBy,
        value: worst.hasValue ? worst.value : null,
        n: worst.hasValue ? worst.sampleCount : null,
        worst: worst.labels,
        memberCount: members.length,
        groupCount: worst.groupCount,
        since: since.toISOString(),
        evaluatedAt: worst.evaluatedAt.toISOString(),
        measuredAt: worst.hasValue ? (worst.measuredAt?.toISOString() ?? null) : null,
        acknowledged: acknowledged && { ...acknowledged, at: acknowledged.at.toISOString() },
        silencedUntil: silencedUntil?.toISOString() ?? null,
        url: new URL(worst.path, publicUrl).href,
      },
    ];
  });
}

export function toApiVault(
  { silence, fill, forecasts, lastSeenAt, ...row }: ForecastVaultRow,
  durability: VaultDurability | undefined,
  slowDrives: readonly SlowDrive[],
): ApiVault {
  return {
    name: row.name,
    state: row.state,
    reasons: [...row.reasons],
    judgedAt: row.judgedAtMs === null ? null : new Date(row.judgedAtMs).toISOString(),
    nodeCount: row.nodeCount,
    silentNodeCount: silence?.silentCount ?? 0,
    fill: fill && {
      share: fill.share,
      objectBytes: fill.objectBytes,
      roomBytes: fill.roomBytes,
      at: new Date(fill.atMs).toISOString(),
      sentence: describeSpace(fill),
    },
    durability: durability === undefined ? null : toApiDurability(durability),
    slowDrives: slowDrives.map(({ node, drive, sentence, since }) => ({
      node,
      drive,
      sentence,
      since: since.toISOString(),
    })),
    forecasts: forecasts.map(toApiForecast),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
  };
}

function toApiDurability(durability: VaultDurability): ApiVault["durability"] {
  const { sentence, remedy, nines, missingCount, podCount, spareShare, assumptions, reportedAt } = durability;
  return {
    sentence,
    remedy,
    podCount,
    spareShare,
    assumptions: [...assumptions],
    nines: nines && { low: nines.low, estimate: nines.value, high: nines.high },
    missingPodCount: missingCount,
    reportedAt: reportedAt?.toISOString() ?? null,
  };
}

function toApiForecast({
  store,
  forecast,
  sentence,
}: ForecastVaultRow["forecasts"][number]): ApiVault["forecasts"][number] {
  const named = { store, kind: forecast.kind, sentence };
  if (forecast.kind !== "filling")
    return { ...named, fullInSeconds: null, bytesPerDay: null, spanSeconds: null };
  const { fullInMs, growthPerDay, spanMs } = forecast;
  return {
    ...named,
    fullInSeconds: finite(fullInMs, 1000),
    bytesPerDay: finite(growthPerDay, 1),
    spanSeconds: spanMs / 1000,
  };
}

/** Replaces infinite bounds with null, because JSON has no infinity. */
function finite(
  { low, value, high }: { readonly low: number; readonly value: number; readonly high: number },
  divisor: number,
): { low: number | null; estimate: number | null; high: number | null } {
  const scaled = (end: number) => (Number.isFinite(end) ? end / divisor : null);
  return { low: scaled(low), estimate: scaled(value), high: scaled(high) };
}
