/**
 * A stretch of a scenario run in full: every message, timer and sync of the protocol's machines. Pods settle first,
 * then load arrives for `leadSeconds` under the faults that were in force before the stretch, and then measurement
 * begins.
 */
import type { FallbackReason } from "@stashlight/contracts/planner/fallback-reasons";
import { createRandom, type Random } from "@stashlight/stats/forkable-random";
import type { PutOutcome } from "@stashlight/write-path";
import { nextArrival } from "./arrivals.ts";
import { valueAt } from "./drives.ts";
import { Meter } from "./meter.ts";
import type { ScenarioOptions } from "./options.ts";
import { type Regime, splitRegimes } from "./regimes.ts";
import { LeanVault } from "./vault.ts";

export interface SegmentPlan {
  readonly fromSecond: number;
  readonly toSecond: number;
  readonly leadSeconds: number;
  readonly binSeconds: number;
  /** Factor applied to the scenario's arrival rate; below 1 where a stretch at the full rate would cost too much. */
  readonly rateScale: number;
  /** True if every stash drive is full from the start. */
  readonly isStashFull: boolean;
}

export interface SegmentResult {
  readonly plan: SegmentPlan;
  readonly meter: Meter;
  readonly uploadCount: number;
  readonly eventCount: number;
  /** Time that returned pods took to pull their waiting shards, and the number of those shards. */
  readonly replay: { readonly seconds: number; readonly shardCount: number } | null;
  /** Time from the start of measurement until the first drive refused a shard; null if none did. */
  readonly fullAfterSeconds: number | null;
  readonly stashCommit: {
    readonly commitCount: number;
    readonly shardsPerCommit: number;
    readonly utilisation: number;
    readonly waitUsMean: number;
  };
}

export interface Watch {
  /** Called every few thousand events with the counts so far. */
  onEvents(eventCount: number, uploadCount: number): void;
  readonly signal: { readonly aborted: boolean };
}

export class ScenarioCancelled extends Error {
  constructor() {
    super("The simulation was cancelled.");
  }
}

/** Pods pull, compare and settle before the first upload. */
const SETTLE_US = 3e6;
/** An upload without a quorum is abandoned 10 s after its arrival, and its outcome is sought for 8 s more. */
const LAST_ANSWER_US = 20e6;
const EVENTS_BETWEEN_LOOKS = 4096;

interface OpenUpload {
  readonly arrivedUs: number;
  readonly sizeBytes: number;
  readonly fallback: FallbackReason | null;
}

export function runSegment(options: ScenarioOptions, plan: SegmentPlan, watch: Watch): SegmentResult {
  return new Segment(options, plan, watch).run();
}

class Segment {
  readonly #options: ScenarioOptions;
  readonly #plan: SegmentPlan;
  readonly #watch: Watch;
  readonly #meter: Meter;
  readonly #vault: LeanVault;
  readonly #random: Random;
  readonly #open = new Map<number, OpenUpload>();
  readonly #sizes: readonly { readonly bytes: number; readonly below: number }[];
  #processorFreeUs = 0;
  #uploadCount = 0;
  #replay: { seconds: number; shardCount: number } | null = null;

  constructor(options: ScenarioOptions, plan: SegmentPlan, watch: Watch) {
    this.#options = options;
    this.#plan = plan;
    this.#watch = watch;
    const seed =
      options.seed * 1_000_003 + Math.round(plan.fromSecond * 1000) * 2 + (plan.isStashFull ? 1 : 0);
    this.#random = createRandom(seed);
    const shardCount = options.scheme.dataShardCount + options.scheme.parityShardCount;
    const binCount = Math.ceil((plan.toSecond - plan.fromSecond) / plan.binSeconds);
    this.#meter = new Meter(this.#usAt(plan.fromSecond), plan.binSeconds, binCount, shardCount);
    this.#sizes = sizeShares(options);
    this.#vault = new LeanVault(options, seed + 1, {
      stashChanged: (podIndex, bytes) => this.#meter.changeOccupancy(this.#vault.heap.nowUs, podIndex, bytes),
      purged: (lagUs) => this.#meter.purged(this.#vault.heap.nowUs, lagUs),
      answered: (token, outcome) => this.#answered(token, outcome),
    });
  }

  #usAt(second: number): number {
    return SETTLE_US + (second - this.#plan.fromSecond + this.#plan.leadSeconds) * 1e6;
  }

  #secondAt(us: number): number {
    return (us - SETTLE_US) / 1e6 + this.#plan.fromSecond - this.#plan.leadSeconds;
  }

  run(): SegmentResult {
    const { heap } = this.#vault;
    this.#vault.startAll();
    this.#advance(SETTLE_US, false);
    this.#scheduleFaults();
    this.#scheduleNext(this.#secondAt(heap.nowUs));
    this.#advance(this.#usAt(this.#plan.toSecond), false);
    this.#meter.passTo(heap.nowUs);
    this.#advance(heap.nowUs + LAST_ANSWER_US, true);
    return {
      plan: this.#plan,
      meter: this.#meter,
      uploadCount: this.#uploadCount,
      eventCount: this.#vault.eventCount,
      replay: this.#replay,
      fullAfterSeconds: this.#fullAfterSeconds(),
      stashCommit: this.#stashCommit(),
    };
  }

  #fullAfterSeconds(): number | null {
    const { firstFullUs } = this.#vault;
    return firstFullUs === null ? null : this.#secondAt(firstFullUs) - this.#plan.fromSecond;
  }

  #advance(untilUs: number, untilAnswered: boolean): void {
    const { heap } = this.#vault;
    for (let count = 1; ; count += 1) {
      if (untilAnswered && this.#open.size === 0) return;
      if (!heap.step(untilUs)) break;
      if (count % EVENTS_BETWEEN_LOOKS === 0) this.#look();
    }
    heap.nowUs = untilUs;
  }

  #look(): void {
    this.#watch.onEvents(this.#vault.eventCount, this.#uploadCount);
    if (this.#watch.signal.aborted) throw new ScenarioCancelled();
  }

  #scheduleFaults(): void {
    const { fromSecond, leadSeconds, toSecond, isStashFull } = this.#plan;
    const vault = this.#vault;
    if (isStashFull) for (const stash of vault.stashes) vault.fillStash(stash);
    const regimes = splitRegimes(this.#options);
    if (leadSeconds > 0) {
      const before = regimes.find(
        (regime) => regime.fromSecond < fromSecond && fromSecond <= regime.toSecond,
      );
      if (before) this.#enter(before);
    }
    for (const regime of regimes) {
      if (regime.fromSecond < fromSecond || regime.fromSecond >= toSecond) continue;
      vault.heap.schedule(this.#usAt(regime.fromSecond) - vault.heap.nowUs, {
        happen: () => this.#enter(regime),
      });
    }
    const now = regimes.find((regime) => regime.fromSecond <= fromSecond && fromSecond < regime.toSecond);
    if (now && leadSeconds === 0) this.#enter(now);
  }

  #enter({ awayPodCount, slow, deadServerCount }: Regime): void {
    const vault = this.#vault;
    const { drivesPerServer } = this.#options;
    for (const pod of vault.pods) {
      if (pod.podIndex < awayPodCount) vault.stopPod(pod);
      else if (!pod.node.isUp) this.#bringBack(pod);
      pod.drive.slowFactor = pod.podIndex === 0 ? slowFactor(slow, "pod") : 1;
    }
    for (const stash of vault.stashes) {
      stash.drive.slowFactor = stash.deviceId === 0 ? slowFactor(slow, "stash") : 1;
      if (stash.deviceId < deadServerCount * drivesPerServer && stash.node.isUp) vault.stopStash(stash);
    }
  }

  #bringBack(pod: LeanVault["pods"][number]): void {
    const vault = this.#vault;
    const startUs = vault.heap.nowUs;
    const shardCount = vault.waitingFor(pod.podIndex);
    vault.startPod(pod);
    const look = {
      happen: () => {
        if (pod.state?.lifecycle === "replaying") vault.heap.schedule(1000, look);
        else if (shardCount > 0) {
          this.#replay ??= { seconds: (vault.heap.nowUs - startUs) / 1e6, shardCount };
        }
      },
    };
    vault.heap.schedule(1000, look);
  }

  #scheduleNext(after: number): void {
    const { rateScale: scale, toSecond: until } = this.#plan;
    const second = nextArrival(this.#options.arrivals, { after, until, scale }, this.#random);
    if (second === Number.POSITIVE_INFINITY) return;
    const { heap } = this.#vault;
    heap.schedule(this.#usAt(second) - heap.nowUs, {
      happen: () => {
        this.#arrive();
        this.#scheduleNext(second);
      },
    });
  }

  /** The coordinator's process works first; then its machine receives the upload. */
  #arrive(): void {
    const { heap } = this.#vault;
    const { processor } = this.#options;
    const arrivedUs = heap.nowUs;
    const token = ++this.#uploadCount;
    const sizeBytes = this.#drawSize();
    const bin = this.#meter.binAt(arrivedUs);
    if (bin) bin.arrivalCount += 1;
    let delayUs: number;
    if (processor.type === "measured") delayUs = valueAt(processor.us, this.#random.next());
    else {
      this.#processorFreeUs = Math.max(arrivedUs, this.#processorFreeUs) + processor.usPerUpload;
      delayUs = this.#processorFreeUs - arrivedUs;
    }
    heap.schedule(delayUs, { happen: () => this.#put(token, arrivedUs, sizeBytes) });
  }

  #put(token: number, arrivedUs: number, sizeBytes: number): void {
    const vault = this.#vault;
    const { smallUploadBytesMax, puts } = vault.coordinatorState;
    this.#open.set(token, { arrivedUs, sizeBytes, fallback: null });
    const isForStash = sizeBytes <= smallUploadBytesMax && this.#options.isStashEnabled;
    const uploadId = vault.put(token, sizeBytes);
    if (!isForStash || puts.get(uploadId)?.phase !== "direct") return;
    const fallback = vault.stashes.some(({ isFull }) => isFull) ? "stash full" : "too few stash drives";
    this.#open.set(token, { arrivedUs, sizeBytes, fallback });
  }

  #drawSize(): number {
    const draw = this.#random.next();
    return (this.#sizes.find(({ below }) => draw < below) ?? this.#sizes.at(-1))?.bytes ?? 1;
  }

  #answered(token: number, outcome: PutOutcome): void {
    const upload = this.#open.get(token);
    if (upload === undefined) return;
    this.#open.delete(token);
    const bin = this.#meter.binAt(upload.arrivedUs);
    if (bin === undefined) return;
    if (outcome.type !== "stored") {
      bin.failedCount += 1;
      return;
    }
    const us = this.#vault.heap.nowUs - upload.arrivedUs;
    (outcome.path === "stash" ? bin.stashUs : bin.directUs).push(us);
    const { smallUploadBytesMax } = this.#vault.coordinatorState;
    const isFallback =
      outcome.path === "direct" && this.#options.isStashEnabled && upload.sizeBytes <= smallUploadBytesMax;
    if (isFallback) bin.fallbacks[upload.fallback ?? "stash too slow"] += 1;
  }

  #stashCommit(): SegmentResult["stashCommit"] {
    const tallies = this.#vault.stashes.map(({ drive }) => drive.tally);
    const sumTallies = (name: "commitCount" | "commitShardCount" | "busyUs" | "waitUs") =>
      tallies.reduce((sum, tally) => sum + tally[name], 0);
    const commitCount = sumTallies("commitCount");
    const shardCount = sumTallies("commitShardCount");
    const loadedUs = this.#usAt(this.#plan.toSecond) - SETTLE_US;
    return {
      commitCount,
      shardsPerCommit: shardCount / Math.max(1, commitCount),
      utilisation: sumTallies("busyUs") / (loadedUs * tallies.length),
      waitUsMean: sumTallies("waitUs") / Math.max(1, shardCount),
    };
  }
}

function slowFactor(slow: Regime["slow"], of: "pod" | "stash"): number {
  return slow.find((one) => one.of === of)?.factor ?? 1;
}

function sizeShares({ sizes }: ScenarioOptions): { bytes: number; below: number }[] {
  const total = sizes.reduce((sum, { share }) => sum + share, 0);
  let below = 0;
  return sizes.map(({ bytes, share }) => {
    below += share / total;
    return { bytes, below };
  });
}
