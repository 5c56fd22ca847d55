/**
 * A medium at the granularity of bytes: the store and the shard log of production, on a disk that fails like a real
 * one. Pods keep extents, stash devices a ring. log-medium-truth.ts informs the oracle from the image of the media; the
 * log's own answers only go there as claims to be checked.
 */
import { stashMarks } from "@stashlight/contracts/thresholds";
import { PageError, type PageFile, PageMemory } from "@stashlight/paged-memory";
import type { LogError, LogResumption, OpenedLog } from "@stashlight/shard-log";
import { keyOfHex } from "@stashlight/shard-log/image";
import {
  checkpointBoot,
  type KeptRecord,
  type Position,
  parseShardName,
  recordKeys,
  resumeBoot,
  type SavedBoot,
  ShardStore,
  saveBoot,
} from "@stashlight/shard-store";
import type { PodShell } from "@stashlight/shard-store/shell";
import type {
  Outcome,
  Refusal,
  SavedPod,
  Shard,
  SpaceClass,
  UploadId,
  VersionOrder,
} from "@stashlight/write-path";
import { drawGeometry, type Geometry, LogDrive } from "./log-medium-drive.ts";
import { LogTruth } from "./log-medium-truth.ts";
import { Upkeep } from "./log-medium-upkeep.ts";
import type { IndexFaults, Medium, MediumAnswers, MediumOptions, ReadState, RecoveredPod } from "./medium.ts";
import { SimulatedIndex } from "./simulated-index.ts";

const RETRY_US = 50_000;
/**
 * After this many attempts, unreadable data on the drive counts as lost, as the drive's host decides after some
 * minutes.
 */
const PATIENT_OPEN_COUNT = 10;
const UNREADABLE_PAGES_MAX = 64;
/** Shard indices from here on are of records that belong to no shard. */
const FIRST_OTHER_INDEX = 65_533;

export class LogMedium implements Medium {
  readonly #options: MediumOptions;
  readonly #geometry: Geometry;
  readonly #truth: LogTruth;
  readonly #upkeep: Upkeep;
  #driveCount = 0;
  #drive: LogDrive;
  #index: SimulatedIndex;
  #store: ShardStore | null = null;
  #answers: MediumAnswers | null = null;
  #createMemory = () => new PageMemory();
  #memory = this.#createMemory();
  #boot = 0;
  /** True while a checkpoint has no answer. */
  #isCheckpointing = false;
  /** True while a clean shutdown is pending. */
  #isStopping = false;
  #isHeldFull = false;
  #slowFactor = 1;
  #isLying = false;
  #reads: ReadState = "good";
  /** True if a read was garbled in transfer: an intact record may be reported as corrupt until it is read again. */
  #hasGarbled = false;
  #hasLostReserve = false;
  /** Consecutive failed attempts to open the log. */
  #failedOpenCount = 0;

  constructor(options: MediumOptions) {
    const { random, counters, isGroupCommit, witness } = options;
    this.#options = options;
    this.#geometry = drawGeometry(random, isGroupCommit, options.capacityBytes !== null);
    this.#upkeep = new Upkeep(random, counters);
    this.#truth = new LogTruth(witness);
    this.#index = this.#newIndex();
    this.#drive = this.#newDrive();
  }

  get durableCount(): number {
    return this.#truth.durableKeys.length;
  }

  get promiseCount(): number {
    return this.#truth.promiseCount;
  }

  // Requests of the node

  append(shard: Shard, room: SpaceClass): void {
    if (this.#isHeldFull) {
      const { uploadId } = shard.upload;
      this.#later(1, (answers) => answers.appendFailed(uploadId, shard.shardIndex, "full"));
      return;
    }
    this.#store?.append(shard, room);
    if (this.#store) this.#upkeep.appended(this.#store);
  }

  flush(): void {
    this.#store?.writeOutcomes();
    this.#store?.flush();
  }

  kill(position: Position): void {
    this.#store?.kill(position);
    this.#store?.checkFullness();
  }

  load(loadId: number, position: Position): void {
    this.#store?.load(loadId, position);
  }

  remember(position: Position, outcome: Outcome): void {
    this.#store?.remember(position, outcome);
    this.#options.witness.remembered(position, outcome);
  }

  persistRefusal(refusal: Refusal): void {
    this.#store?.persistRefusal(refusal);
  }

  forgetRefusal(uploadId: UploadId): void {
    this.#store?.forgetRefusal(uploadId);
  }

  persistHorizon(horizon: VersionOrder): void {
    this.#store?.persistHorizon(horizon);
  }

  // Starting

  recover(
    answers: MediumAnswers,
    createMemory: () => PageMemory,
    done: (recovered: RecoveredPod) => void,
  ): void {
    // A process that has not stopped in time is killed.
    if (this.#store !== null) this.crash();
    this.#answers = answers;
    this.#createMemory = createMemory;
    this.#drive.disk.reopen();
    this.#open(done);
  }

  pageFile(failingRead: number | null): PageFile {
    this.#index.begin(failingRead);
    return this.#index;
  }

  get index(): IndexFaults {
    return this.#index;
  }

  #open(done: (recovered: RecoveredPod) => void): void {
    const boot = this.#boot;
    this.#memory = this.#createMemory();
    const left = this.#answers?.machine === "pod" ? this.#index.root : null;
    const resume = left === null ? null : this.#resumption(left);
    if (left === null) this.#index.clearPages();
    const isPatient = this.#failedOpenCount < PATIENT_OPEN_COUNT || this.#reads !== "good";
    this.#drive.open(isPatient ? 0 : UNREADABLE_PAGES_MAX, this.#memory, resume, (error, opened) => {
      if (boot !== this.#boot) return;
      this.#failedOpenCount = opened === null ? this.#failedOpenCount + 1 : 0;
      if (opened !== null) this.#opened(opened, left, done);
      else this.#failedToOpen(error as LogError, () => this.#open(done));
    });
  }

  #resumption(left: SavedBoot): LogResumption {
    const { counters } = this.#options;
    return resumeBoot(left, this.#memory, this.#index, (refusal) => {
      counters.add(refusal === null ? "index resumed" : "index not resumed");
      if (refusal !== null) counters.add(`index not resumed: ${refusal}`);
    });
  }

  /** After a device error the process would restart; any other error means that the volume is lost. */
  #failedToOpen(error: LogError, again: () => void): void {
    const { counters, witness } = this.#options;
    counters.add(`log did not open: ${error.code}`);
    if (error.code !== "io_failed" && error.code !== "resume_failed") {
      if (!this.#truth.isSuspect)
        witness.violated("S2", `A sound medium's log did not open: ${error.message}`);
      this.#changeDrive();
    }
    this.#later(RETRY_US, again);
  }

  #opened(
    opened: OpenedLog<KeptRecord>,
    left: SavedBoot | null,
    done: (recovered: RecoveredPod) => void,
  ): void {
    const { counters, witness, queue } = this.#options;
    for (const { kind } of opened.damage) {
      counters.add(`log damage: ${kind}`);
      // A cut may tear one copy of a header while it is being written.
      if (kind === "header_copy_lost" || this.#truth.isSuspect) continue;
      witness.violated("S2", `A sound medium's log reports damage: ${kind}.`);
    }
    this.#hasLostReserve = opened.hasLostReserve;
    if (opened.hasLostReserve && !this.#truth.isSuspect)
      witness.violated("S2", "A sound medium's log has no free segment.");
    const saved = opened.isResumed ? left : null;
    if (saved === null) this.#truth.recovered(recordKeys(opened.records));
    else if (!this.#haveResumed(opened, saved)) {
      // Simulates a process whose index fails during startup.
      this.#drive.disk.processCrash();
      this.#drive.disk.reopen();
      this.#later(RETRY_US, () => this.#open(done));
      return;
    }
    const { store, recovered } = ShardStore.start({
      opened,
      answers: this.#answersOfBoot(),
      memory: this.#memory,
      saved,
      defer: (action) => queue.schedule(1, action),
      after: (delayUs, action) => queue.schedule(delayUs, action),
      fullAtShare: stashMarks.fullShare,
      relievedAtShare: stashMarks.fullShare - stashMarks.reliefShare,
      witness: {
        appended: (key, shard) => this.#truth.appended(key, shard),
        claimed: (key, append) => this.#truth.claimed(key, append),
        killed: (key, nextLsn) => this.#truth.killed(key, nextLsn),
        foundCorrupt: (uploadId, shardIndex) => this.#judgeCorrupt(uploadId, shardIndex),
      },
    });
    this.#store = store;
    const toldCount = [...recovered.shards].filter(({ outcome }) => outcome !== null).length;
    if (toldCount > 0) counters.add("log reported an upload's outcome", toldCount);
    done({ ...recovered, saved: saved?.pod ?? null, memory: this.#memory });
  }

  /** Returns false if a page of the index cannot be read. */
  #haveResumed(opened: OpenedLog<KeptRecord>, saved: SavedBoot): boolean {
    try {
      const keys = Array.from(opened.log.places(), ({ key }) => key);
      this.#truth.recovered(keys);
      this.#judgeSaved(saved, opened, keys);
      const count = opened.records.length + opened.displacedKeys.length;
      if (!saved.log.isEnd)
        this.#options.counters.add(count > 0 ? "log read on" : "log read on: nothing new");
      return true;
    } catch (error) {
      if (!(error instanceof PageError)) throw error;
      return false;
    }
  }

  /** Each shard of the log has one entry in the saved state of the pod, or was written later. */
  #judgeSaved(
    { pod }: SavedBoot,
    { records, damagedRecords, displacedKeys }: OpenedLog<KeptRecord>,
    keys: readonly string[],
  ): void {
    const shardsIn = (each: readonly string[]): number =>
      each.filter((key) => parseShardName(key).shardIndex < FIRST_OTHER_INDEX).length;
    const later = [...recordKeys(records), ...recordKeys(damagedRecords)];
    const entryCount = pod.settled.count + pod.open.length + shardsIn(later) - shardsIn(displacedKeys);
    const shardCount = shardsIn(keys);
    if (entryCount === shardCount) return;
    const sentence = `A pod was saved with ${entryCount} shards, and its log holds ${shardCount}.`;
    this.#options.witness.violated("S2", sentence);
  }

  // Stopping

  get isQuiet(): boolean {
    return !this.#isCheckpointing && (this.#store?.isQuiet ?? true);
  }

  checkpoint(shell: Pick<PodShell<Position>, "hold" | "letGo">, savePod: () => SavedPod | string): void {
    const store = this.#store;
    if (store === null || this.#isCheckpointing || this.#isStopping) return;
    const { counters, queue } = this.#options;
    const boot = this.#boot;
    this.#isCheckpointing = true;
    // The timers of a process end with it.
    const after = (delayUs: number, action: () => void) =>
      queue.schedule(delayUs, () => {
        if (boot === this.#boot) action();
      });
    const running = {
      store,
      shell,
      savePod,
      memory: this.#memory,
      files: this.#index,
      after,
      isWanted: () => true,
    };
    checkpointBoot(running, (refusal) => {
      if (boot !== this.#boot) return;
      this.#isCheckpointing = false;
      counters.add(refusal === null ? "index checkpoint" : `no index checkpoint: ${refusal}`);
    });
  }

  stop(pod: SavedPod | string): void {
    const store = this.#store;
    if (store === null) return;
    const { counters } = this.#options;
    const boot = this.#boot;
    store.writeOutcomes();
    this.#isStopping = true;
    const endPod = this.#isCheckpointing ? "a checkpoint of its index has not ended" : pod;
    saveBoot({ store, pod: endPod, memory: this.#memory, files: this.#index }, (refusal) => {
      if (boot !== this.#boot) return;
      this.#isStopping = false;
      counters.add(refusal === null ? "index saved" : `index not saved: ${refusal}`);
      store.log.close(() => {});
    });
  }

  /** Returns callbacks that pass the store's answers to this boot of the node. */
  #answersOfBoot(): MediumAnswers {
    const answers = this.#answers as MediumAnswers;
    if (answers.machine === "pod") return answers;
    const { counters } = this.#options;
    return {
      ...answers,
      occupancy: (isFull) => {
        counters.add(isFull ? "log full" : "full log relieved");
        if (!this.#isHeldFull) answers.occupancy(isFull);
      },
    };
  }

  #judgeCorrupt(uploadId: UploadId, shardIndex: number): void {
    if (this.#truth.isSuspect || this.#hasGarbled) return;
    const sentence = `A sound medium's log calls shard ${shardIndex} of upload ${uploadId} corrupt.`;
    this.#options.witness.violated("S2", sentence);
  }

  // Faults

  crash(): void {
    this.#end();
    this.#drive.disk.processCrash();
  }

  powerCut(): void {
    this.#end();
    this.#index.powerCut();
    this.#drive.disk.powerCut();
    // A file whose creation was falsely reported may be gone without any of its pages having changed.
    if (this.#truth.isSuspect) this.#drive.image.refresh();
  }

  #end(): void {
    if (this.#isStopping && !this.#drive.disk.isPending && !this.#index.isPending)
      this.#options.witness.violated("S2", "A stop is not answered, and its log waits for nothing.");
    this.#isStopping = false;
    this.#isCheckpointing = false;
    this.#index.processEnded();
    const recycledCount = this.#store?.log.stats().counters.recyclesTotal ?? 0;
    if (recycledCount > 0) this.#options.counters.add("log segment recycled", recycledCount);
    this.#boot += 1;
    this.#answers = null;
    this.#store?.end();
    this.#store = null;
  }

  replace(): void {
    this.#end();
    this.#changeDrive();
  }

  #changeDrive(): void {
    this.#index = this.#newIndex();
    this.#drive.release();
    this.#truth.lostAll();
    this.#hasLostReserve = false;
    this.#drive = this.#newDrive();
  }

  #newIndex(): SimulatedIndex {
    const { queue, indexRandom: random, syncUs, witness } = this.#options;
    const onViolation = (sentence: string) => witness.violated("S2", sentence);
    return new SimulatedIndex({ queue, random, syncUs, onViolation });
  }

  #newDrive(): LogDrive {
    const { witness, counters } = this.#options;
    this.#driveCount += 1;
    const drive = new LogDrive(this.#options, this.#geometry, this.#driveCount, (key) =>
      this.#truth.judge(key),
    );
    this.#truth.image = drive.image;
    this.#truth.isSuspect = this.#isLying;
    const { disk } = drive;
    drive.setReads(this.#reads);
    disk.faults.slowFactor = this.#slowFactor;
    disk.faults.lyingSync = this.#isLying ? 1 : 0;
    disk.onSyncFailed = () => {
      counters.add("sync failed");
      // A process that is still opening its log has promised nothing, and retries.
      if (this.#store !== null) witness.syncFailed();
    };
    return drive;
  }

  /** Flips a bit of a record that the node holds, or makes all of its pages unreadable. */
  rot(): boolean {
    const { random } = this.#options;
    const { durableKeys } = this.#truth;
    if (durableKeys.length === 0) return false;
    const place = this.#drive.image.placeOf(random.pick(durableKeys));
    if (place === null) return false;
    this.#truth.isSuspect = true;
    if (random.chance(0.5)) this.#drive.flipBit(place);
    else this.#drive.makeUnreadable(place);
    return true;
  }

  /** Flips a bit of a shard's payload; its header stays intact. */
  rotPayload(uploadId: UploadId): boolean {
    const shard = this.#truth.durableShards.find(({ upload }) => upload.uploadId === uploadId);
    if (shard === undefined) return false;
    const place = this.#drive.image.payloadPlaceOf(keyOfHex(uploadId, shard.shardIndex));
    if (place === null) return false;
    this.#truth.isSuspect = true;
    this.#drive.flipBit(place);
    return true;
  }

  get hasLostReserve(): boolean {
    return this.#hasLostReserve;
  }

  get mayMisread(): boolean {
    return this.#truth.isSuspect || this.#hasGarbled;
  }

  setReads(reads: ReadState): void {
    this.#reads = reads;
    this.#hasGarbled ||= reads === "garbled";
    this.#drive.setReads(reads);
  }

  scrub(): void {
    this.#store?.writeOutcomes();
    this.#store?.log.attest(() => {});
    this.#store?.reportCorrupt();
    this.#store?.scrub(Number.POSITIVE_INFINITY);
  }

  failNextSync(): void {
    this.#drive.disk.failNextSync();
  }

  setLying(isLying: boolean): void {
    const isHealed = this.#isLying && !isLying;
    this.#isLying = isLying;
    this.#truth.isSuspect ||= isLying;
    this.#drive.disk.faults.lyingSync = isLying ? 1 : 0;
    this.#index.setLying(isLying);
    if (isHealed) this.#drive.disk.writeBack();
  }

  setSlowFactor(factor: number): void {
    this.#slowFactor = factor;
    this.#drive.disk.faults.slowFactor = factor;
  }

  setHung(isHung: boolean): void {
    this.#drive.disk.setHung(isHung);
  }

  setFull(isFull: boolean): void {
    this.#isHeldFull = isFull;
  }

  // Answering

  #later(delayUs: number, action: (answers: MediumAnswers) => void): void {
    const boot = this.#boot;
    this.#options.queue.schedule(delayUs, () => {
      if (boot === this.#boot && this.#answers !== null) action(this.#answers);
    });
  }
}
