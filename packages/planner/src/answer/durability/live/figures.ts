/** The figures behind a live durability, each with its source, its count and its age. */
import { formatFigure, formatPlanBytes, formatPlanSeconds } from "../../../format-figures.ts";
import type { KnownDurability } from "./judge.ts";
import { timeInWords } from "./sentence.ts";
import type { LiveVault, Provenance } from "./vault.ts";

export interface LiveFigure {
  readonly name: string;
  readonly value: string;
  readonly source: string;
  /** Values behind the figure; null where it is no count's. */
  readonly count: number | null;
  readonly ageSeconds: number | null;
}

export function listLiveFigures(vault: LiveVault, judged: KnownDurability): LiveFigure[] {
  return [rebuildTime(judged), rebuildRate(vault, judged), failureRate(vault, judged), ...held(vault)];
}

const noCount = { count: null, ageSeconds: null };

const rebuildTime = ({ rebuildSeconds }: KnownDurability): LiveFigure => ({
  name: "Rebuild of a pod",
  value: timeInWords(rebuildSeconds),
  source: "modelled from what a pod holds, the rebuild rate and the time until it begins",
  ...noCount,
});

function rebuildRate({ rebuild }: LiveVault, { rate }: KnownDurability): LiveFigure {
  const spread =
    rate.interval === null
      ? ""
      : ` (${formatPlanBytes(rate.interval.low)}/s to ${formatPlanBytes(rate.interval.high)}/s)`;
  const source = {
    measured: "measured in rebuilds of the last four weeks",
    limit: "limit of the vault; no rebuild was measured in four weeks",
    assumed: "assumed; agents report neither a rebuild nor their limit",
  }[rate.source];
  return {
    name: "Rebuild rate",
    value: `${formatPlanBytes(rate.value)}/s${spread}`,
    source,
    ...(rate.source === "measured" && rebuild !== null
      ? { count: rebuild.count, ageSeconds: rebuild.ageSeconds }
      : noCount),
  };
}

function failureRate({ seen, pods }: LiveVault, { failureRate }: KnownDurability): LiveFigure {
  const share = (value: number): string => `${formatFigure(100 * value)} %`;
  const { value, low, high } = failureRate;
  const models = new Set(pods.flatMap(({ model }) => model ?? []));
  const unknownCount = pods.filter(({ model }) => model === null).length;
  const named = models.size === 0 ? "" : `; models ${[...models].toSorted().slice(0, 3).join(", ")}`;
  const unnamed =
    unknownCount === 0 ? "" : `; the model of ${unknownCount} of ${pods.length} drives is unknown`;
  const suspects = pods.filter(({ isSuspect }) => isSuspect).length;
  const warned = suspects === 0 ? "" : `; SMART warns of ${suspects} of ${pods.length}`;
  return {
    name: "Failures a drive-year",
    value: `${share(value)} (${share(low)} to ${share(high)})`,
    source: `published rate updated by ${seen.failures} failures in ${formatFigure(seen.driveYears)} drive years${named}${unnamed}${warned}`,
    count: pods.length,
    ageSeconds: null,
  };
}

function held({ podBytes, scrub, stash }: LiveVault): LiveFigure[] {
  const measured = (name: string, value: string, source: string, from: Provenance): LiveFigure => ({
    name,
    value,
    source,
    count: from.count,
    ageSeconds: from.ageSeconds,
  });
  const missing = (name: string, source: string): LiveFigure => ({
    name,
    value: "unknown",
    source,
    ...noCount,
  });
  return [
    podBytes === null
      ? missing("Held by the fullest pod", "no pod reports it")
      : measured("Held by the fullest pod", formatPlanBytes(podBytes.bytes), "reported by pods", podBytes),
    scrub === null
      ? missing("Verified longest ago", "no pod reports it; 30 days are assumed")
      : measured(
          "Verified longest ago",
          formatPlanSeconds(scrub.oldestSeconds),
          "reported by scrubs of pods",
          scrub,
        ),
    stash === null
      ? missing("Not flushed by pods", "no stash reports it; left out")
      : measured(
          "Not flushed by pods",
          `${formatPlanBytes(stash.bytes)} on the stash, the oldest for ${formatPlanSeconds(stash.oldestSeconds)}`,
          "reported by stash devices",
          stash,
        ),
  ];
}
