/** The figures behind a live durability, each with its source, its count and its age. */
import { counted, formatFigure, formatPlanBytes, formatPlanSeconds } from "../../../format-figures.ts";
import { describeEvidence, generalRate, rateInWords } from "../model-rate.ts";
import { estimatePodRate, type KnownDurability } from "./judge-live-durability.ts";
import { timeInWords } from "./sentence.ts";
import type { LivePod, LiveVault, Provenance } from "./vault.ts";

export interface LiveFigure {
  readonly name: string;
  readonly value: string;
  readonly source: string;
  /** Number of values behind the figure; null if it was not counted. */
  readonly count: number | null;
  readonly ageSeconds: number | null;
}

export function listLiveFigures(vault: LiveVault, judged: KnownDurability): LiveFigure[] {
  return [rebuildTime(judged), rebuildRate(vault, judged), ...failureRates(vault, judged), ...held(vault)];
}

/** A vault has few models; more would crowd out the other figures. */
const MODELS_SHOWN = 4;

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

function failureRates(vault: LiveVault, { failureRate }: KnownDurability): LiveFigure[] {
  const { pods } = vault;
  const suspects = pods.filter(({ isSuspect }) => isSuspect).length;
  const warned = suspects === 0 ? "" : `; SMART warns of ${suspects} of ${pods.length}`;
  const models = [...Map.groupBy(pods, ({ model }) => model)].toSorted(
    ([, some], [, others]) => others.length - some.length,
  );
  const known = models.filter(([model]) => model !== null).length;
  return [
    {
      name: "Failures per drive-year",
      value: rateInWords(failureRate),
      source: `mean of the pods' drives, ${counted(known, "known model")}${warned}`,
      count: pods.length,
      ageSeconds: null,
    },
    ...models.slice(0, MODELS_SHOWN).map(([model, alike]) => rateOfModel(vault, model, alike)),
  ];
}

function rateOfModel(vault: LiveVault, model: string | null, alike: readonly LivePod[]): LiveFigure {
  const [first] = alike;
  const evidence = vault.models.find((each) => each.model === model);
  const { failures, driveYears } = vault.seen;
  return {
    name: `Failures of ${model ?? "drives of unknown model"}`,
    value: first === undefined ? "unknown" : rateInWords(estimatePodRate(vault, first)),
    source:
      evidence === undefined
        ? `rate of all drives (${generalRate.source}), updated by ${counted(failures, "rebuilt drive")} in ${formatFigure(driveYears)} drive years`
        : describeEvidence(evidence),
    count: alike.length,
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
      ? missing("Data on the fullest pod", "no pod reports it")
      : measured("Data on the fullest pod", formatPlanBytes(podBytes.bytes), "reported by pods", podBytes),
    scrub === null
      ? missing("Oldest verification", "no pod reports it; 30 days are assumed")
      : measured(
          "Oldest verification",
          formatPlanSeconds(scrub.oldestSeconds),
          "reported by scrubs of pods",
          scrub,
        ),
    stash === null
      ? missing("Not yet flushed by pods", "no stash reports it; left out")
      : measured("Not yet flushed by pods", formatUnflushed(stash), "reported by stash devices", stash),
  ];
}

const formatUnflushed = ({
  bytes,
  oldestSeconds,
}: {
  readonly bytes: number;
  readonly oldestSeconds: number;
}) =>
  bytes === 0
    ? "nothing on the stash"
    : `${formatPlanBytes(bytes)} on the stash, the oldest for ${formatWait(oldestSeconds)}`;

/** Newly written shards have waited, if only briefly. */
const formatWait = (seconds: number): string => (seconds < 1 ? "less than 1 s" : formatPlanSeconds(seconds));
