/**
 * The durability of a vault at a moment: the nines of the next year and, while shards are missing, the probability of
 * loss until all are whole. Pure; packages/durability has the formulas. Rebuild times and counts are measured, the rest
 * is assumed (assumptions.ts), and the answer states which is which.
 */
import { DAY_SECONDS } from "@stashlight/contracts/time";
import {
  type DriveGroup,
  FAILURE_RATE_MAX,
  lossBeforeWhole,
  lossUntilRestored,
  markovAnnualLoss,
  type RateEstimate,
  REBUILD_DAYS_MAX,
  REBUILD_DAYS_MIN,
  stashWindowLoss,
  unreadableProbability,
} from "@stashlight/durability";
import { counted } from "../../../format-figures.ts";
import { toNines } from "../loss.ts";
import { estimateModelRate, type ModelRate } from "../model-rate.ts";
import { liveAssumptions, RATES_MIN, STALE_RATE_SECONDS } from "./assumptions.ts";
import type { LivePod, LiveVault } from "./vault.ts";

/** A figure with its interval; null if there are too few values for one. */
export interface Estimate {
  readonly value: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

export interface MissingPods {
  readonly count: number;
  readonly podCount: number;
  readonly awayCount: number;
  /** Time until all shards are whole again. */
  readonly secondsLeft: Estimate;
  /** Probability of losing data until then; 1 if it is already lost. */
  readonly chance: Estimate;
  /** Probability of loss after one more failure; null if that failure loses data. */
  readonly chanceAfterNext: number | null;
  /** Measures that would shorten the time, with the resulting probability; null if data is already lost. */
  readonly remedy: {
    readonly kind: "replace" | "rebuild";
    readonly rate: number;
    readonly chance: number;
  } | null;
}

export interface KnownDurability {
  readonly kind: "known";
  readonly dataShards: number;
  readonly parityShards: number;
  /** Nines of the probability that data stored now still exists after a year. */
  readonly nines: Estimate;
  /** Null while no pod lacks shards. */
  readonly missing: MissingPods | null;
  /** Number of shards that may still be lost, as a share of the parity shards. */
  readonly spareShare: number;
  /** Failures per drive-year. */
  readonly failureRate: RateEstimate;
  /** Rebuild rate of one pod in bytes per second. */
  readonly rate: UsedRate;
  /** Time from the failure of a drive until a replacement has its shards. */
  readonly rebuildSeconds: number;
}

export interface UsedRate extends Estimate {
  readonly source: "measured" | "limit" | "assumed";
}

export type LiveDurability = KnownDurability | { readonly kind: "unknown"; readonly reason: string };

const YEAR_DAYS = 365;
const NONE = { failures: 0, driveDays: 0 };

/**
 * One byte per second: below it a rebuild has stalled, and an interval that includes a stall has no upper bound on
 * time.
 */
const RATE_MIN = 1;

const unknown = (reason: string): LiveDurability => ({ kind: "unknown", reason });

/** Judges a vault by its agents' reports; `unknown` has the reason as one sentence. */
export function judgeLiveDurability(vault: LiveVault): LiveDurability {
  const { scheme, pods, podBytes } = vault;
  if (scheme === null) {
    return unknown(
      "no coordinator reported the scheme of the vault in the last minute; all are silent, of an earlier version, or their clocks are wrong",
    );
  }
  const { dataShards, parityShards } = scheme;
  if (parityShards < 1) return unknown("the vault has no parity, so each failed drive loses data");
  const podCount = dataShards + parityShards;
  if (pods.length === 0)
    return unknown("no coordinator reported in the last minute which pods serve their shards");
  if (pods.length !== podCount) {
    return unknown(
      `coordinators report ${counted(pods.length, "pod")}, and ${dataShards}+${parityShards} has ${podCount}`,
    );
  }
  if (podBytes === null) return unknown("no pod reports how much it holds");
  const rate = chooseRate(vault);
  const rebuildSeconds = liveAssumptions.rebuildStartSeconds + podBytes.bytes / rate.value;
  if (!(rebuildSeconds / DAY_SECONDS <= REBUILD_DAYS_MAX)) {
    return unknown("a rebuild would take more than a century, so a failed drive is never rebuilt");
  }
  const failureRate = estimateRate(vault);
  const model = new LiveModel(vault, scheme, rate, failureRate);
  const missing = model.judgeMissing();
  return {
    kind: "known",
    dataShards,
    parityShards,
    missing,
    failureRate,
    rate,
    rebuildSeconds,
    nines: model.nines(),
    spareShare: Math.max(0, parityShards - (missing?.count ?? 0)) / parityShards,
  };
}

function chooseRate({ rebuild, rebuildLimit }: LiveVault): UsedRate {
  if (
    rebuild !== null &&
    rebuild.count > 0 &&
    rebuild.ageSeconds <= STALE_RATE_SECONDS &&
    rebuild.median >= RATE_MIN
  ) {
    const { median: value, low, high, count } = rebuild;
    return { source: "measured", value, interval: count >= RATES_MIN ? { low, high } : null };
  }
  if (rebuildLimit !== null && rebuildLimit >= RATE_MIN) {
    return { source: "limit", value: rebuildLimit, interval: null };
  }
  return { source: "assumed", value: liveAssumptions.rebuildRate, interval: null };
}

/** Failure rate of one pod's drive: that of its model, or of all drives if the model is unknown. */
export function estimatePodRate({ models, seen }: LiveVault, { model }: LivePod): ModelRate {
  const evidence = models.find((each) => each.model === model);
  if (evidence !== undefined) return estimateModelRate(evidence);
  const own = { failures: seen.failures, driveDays: seen.driveYears * YEAR_DAYS };
  return estimateModelRate({ published: null, own: model === null ? own : NONE });
}

/**
 * Mean of the pods' rates, higher for drives with SMART warnings. The ends of its range are the means of the pods'
 * ends, as if all models were better, or all worse, than published.
 */
function estimateRate(vault: LiveVault): RateEstimate {
  const { pods } = vault;
  const rates = [...Map.groupBy(pods, ({ model }) => model).values()].flatMap((alike) => {
    const [first] = alike;
    return first === undefined
      ? []
      : [{ rate: estimatePodRate(vault, first), share: alike.length / pods.length }];
  });
  const suspects = pods.filter(({ isSuspect }) => isSuspect).length / pods.length;
  const times = 1 + (liveAssumptions.suspectTimes - 1) * suspects;
  const mean = (of: "value" | "low" | "high"): number =>
    times * rates.reduce((sum, { rate, share }) => sum + rate[of] * share, 0);
  return { value: mean("value"), low: mean("low"), high: mean("high") };
}

/** Point of each interval that an estimate uses: the value, or the worse or better end. */
type End = "value" | "better" | "worse";

class LiveModel {
  readonly #vault: LiveVault;
  readonly #scheme: NonNullable<LiveVault["scheme"]>;
  readonly #rate: UsedRate;
  readonly #failureRate: RateEstimate;

  constructor(
    vault: LiveVault,
    scheme: NonNullable<LiveVault["scheme"]>,
    rate: UsedRate,
    failureRate: RateEstimate,
  ) {
    this.#vault = vault;
    this.#scheme = scheme;
    this.#rate = rate;
    this.#failureRate = failureRate;
  }

  nines(): Estimate {
    const at = (end: End) => toNines(this.#lossWithinYear(end)) + 0;
    return { value: at("value"), interval: { low: at("worse"), high: at("better") } };
  }

  judgeMissing(): MissingPods | null {
    const { pods } = this.#vault;
    const count = this.#missingCount;
    if (count === 0) return null;
    const secondsLeft = this.#secondsUntilWhole("value");
    const [soonest, latest] = [this.#secondsUntilWhole("better"), this.#secondsUntilWhole("worse")];
    const isLost = count > this.#scheme.parityShards;
    const chance = this.#lossUntilWhole("value");
    return {
      count,
      podCount: pods.length,
      awayCount: pods.filter(({ state }) => state === "away").length,
      secondsLeft: {
        value: secondsLeft,
        interval: this.#rate.interval === null ? null : { low: soonest, high: latest },
      },
      chance: {
        value: chance,
        interval: { low: this.#lossUntilWhole("better"), high: this.#lossUntilWhole("worse") },
      },
      chanceAfterNext:
        count >= this.#scheme.parityShards
          ? null
          : lossBeforeWhole(this.#groupAfterNext(secondsLeft), count + 1, this.#unreadable()),
      remedy: isLost ? null : this.#findRemedy(),
    };
  }

  /** After one more failure, the currently missing pods still need their time. */
  #groupAfterNext(secondsLeft: number): DriveGroup {
    const group = this.#group("value");
    const days = Math.min(REBUILD_DAYS_MAX, secondsLeft / DAY_SECONDS);
    return { ...group, rebuildDays: Math.max(group.rebuildDays, days) };
  }

  get #missingCount(): number {
    return this.#vault.pods.filter(({ state }) => state !== "whole").length;
  }

  /** Replaces absent pods at once, and doubles the rate of those being rebuilt. */
  #findRemedy(): MissingPods["remedy"] {
    const isAway = this.#vault.pods.some(({ state }) => state === "away");
    const rate = isAway ? this.#rate.value : 2 * Math.max(this.#rate.value, this.#vault.rebuildLimit ?? 0);
    const seconds = Math.max(
      ...this.#vault.pods.map((pod) =>
        pod.state === "away"
          ? this.#podBytes / rate
          : pod.missingBytes / (isAway ? this.#rateAt("value") : rate),
      ),
    );
    const chance = this.#lossUntilWhole("value", Math.min(seconds, this.#secondsUntilWhole("value")));
    return { kind: isAway ? "replace" : "rebuild", rate, chance };
  }

  #lossWithinYear(end: End): number {
    const whole = markovAnnualLoss(this.#group(end), this.#unreadable());
    const missing = this.#missingCount === 0 ? 0 : this.#lossUntilWhole(end);
    return combine([missing, whole, this.#stashLoss()]);
  }

  #lossUntilWhole(end: End, seconds = this.#secondsUntilWhole(end)): number {
    const days = Math.min(REBUILD_DAYS_MAX, Math.max(REBUILD_DAYS_MIN, seconds / DAY_SECONDS));
    return lossUntilRestored(this.#group(end), this.#missingCount, days, this.#unreadable());
  }

  #secondsUntilWhole(end: End): number {
    return Math.max(...this.#vault.pods.map((pod) => this.#secondsLeft(pod, end)));
  }

  #secondsLeft({ state, missingBytes, secondsLeft }: LivePod, end: End): number {
    if (state === "whole") return 0;
    if (state === "away") return liveAssumptions.rebuildStartSeconds + this.#podBytes / this.#rateAt(end);
    const byRate = missingBytes / this.#rateAt(end);
    // The pod's own estimate covers its last minute, so it may be outside the interval of all rates.
    if (secondsLeft === null || end === "value") return secondsLeft ?? byRate;
    return end === "better" ? Math.min(secondsLeft, byRate) : Math.max(secondsLeft, byRate);
  }

  get #podBytes(): number {
    return this.#vault.podBytes?.bytes ?? 0;
  }

  #rateAt(end: End): number {
    const { value, interval } = this.#rate;
    if (end === "value" || interval === null) return value;
    return end === "better"
      ? Math.max(interval.high, value)
      : Math.max(Math.min(interval.low, value), RATE_MIN);
  }

  #group(end: End): DriveGroup {
    const { value, low, high } = this.#failureRate;
    const failures = end === "value" ? value : end === "better" ? low : high;
    const { commonCauseShare: share, commonCauseDrives, rebuildStartSeconds } = liveAssumptions;
    const { dataShards, parityShards } = this.#scheme;
    const days = (rebuildStartSeconds + this.#podBytes / this.#rateAt(end)) / DAY_SECONDS;
    return {
      dataShards,
      parityShards,
      annualFailureRate: Math.min(FAILURE_RATE_MAX, -Math.expm1(-failures)),
      rebuildDays: Math.min(REBUILD_DAYS_MAX, days),
      rebuildsAtOnce: Number.POSITIVE_INFINITY,
      commonCause: { share, drives: Math.min(commonCauseDrives, dataShards + parityShards) },
    };
  }

  #unreadable(): number {
    const { sectorErrorsPerByteYear: errorsPerByteYear, scrubSeconds } = liveAssumptions;
    const seconds = this.#vault.scrub?.oldestSeconds ?? scrubSeconds;
    const scrubDays = Math.min(REBUILD_DAYS_MAX, Math.max(0, seconds) / DAY_SECONDS);
    return unreadableProbability({ errorsPerByteYear, scrubDays }, this.#vault.objectBytes ?? 0);
  }

  #stashLoss(): number {
    const { powerCutsPerYear: cutsPerYear, ssdLostInCut: driveLostInCut } = liveAssumptions;
    const { stash } = this.#vault;
    if (stash === null || stash.bytes === 0) return 0;
    const residenceSeconds = Math.min(365 * DAY_SECONDS, Math.max(0, stash.oldestSeconds));
    return stashWindowLoss({ ...this.#scheme, residenceSeconds, cutsPerYear, driveLostInCut });
  }
}

const combine = (losses: readonly number[]): number =>
  losses.reduce((all, loss) => all + loss - all * loss, 0);
