/**
 * A medium at the granularity of bytes: the store and the shard log of production, on a disk that fails like a real
 * one. Pods keep extents, stash devices a ring. log-medium-truth.ts informs the oracle from the image of the media; the
 * log's own answers only go there as claims to be checked.
 */
import { stashMarks } from "@stashlight/contracts/thresholds";
import { PageMemory } from "@stashlight/paged-memory";
import type { LogError, OpenedLog } from "@stashlight/shard-log";
import { keyOfHex } from "@stashlight/shard-log/image";
import { type KeptRecord, type Position, recordKeys, ShardStore } from "@stashlight/shard-store";
import type { Outcome, Refusal, Shard, SpaceClass, UploadId, VersionOrder } from "@stashlight/write-path";
import { drawGeometry, type Geometry, LogDrive } from "./log-medium-drive.ts";
import { LogTruth } from "./log-medium-truth.ts";
import { Upkeep } from "./log-medium-upkeep.ts";
import type { Medium, MediumAnswers, MediumOptions, ReadState, Recovered } from "./medium.ts";

const RETRY_US = 50_000;
/**
 * After this many attempts, unreadable data on the drive counts as lost, as the drive's host decides after some
 * minutes.
 */
const PATIENT_OPEN_COUNT = 10;
const UNREADABLE_PAGES_MAX = 64;

export class LogMedium implements Medium {
  readonly #options: MediumOptions;
  readonly #geometry: Geometry;
  readonly #truth: LogTruth;
  readonly #upkeep: Upkeep;
  #driveCount = 0;
  #drive: LogDrive;
  #store: ShardStore | null = null;
  #answers: MediumAnswers | null = null;
  #memory = new PageMemory();
  #boot = 0;
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

  recover(answers: MediumAnswers, memory: PageMemory, done: (recovered: Recovered) => void): void {
    this.#answers = answers;
    this.#memory = memory;
    this.#drive.disk.reopen();
    this.#open(done);
  }

  #open(done: (recovered: Recovered) => void): void {
    const boot = this.#boot;
    const isPatient = this.#failedOpenCount < PATIENT_OPEN_COUNT || this.#reads !== "good";
    this.#drive.open(isPatient ? 0 : UNREADABLE_PAGES_MAX, this.#memory, (error, opened) => {
      if (boot !== this.#boot) return;
      this.#failedOpenCount = opened === null ? this.#failedOpenCount + 1 : 0;
      if (opened !== null) this.#opened(opened, done);
      else this.#failedToOpen(error as LogError, () => this.#open(done));
    });
  }

  /** After a device error the process would restart; any other error means that the volume is gone. */
  #failedToOpen(error: LogError, again: () => void): void {
    const { counters, witness } = this.#options;
    counters.add(`log did not open: ${error.code}`);
    if (error.code !== "io_failed") {
      if (!this.#truth.isSuspect)
        witness.violated("S2", `A sound medium's log did not open: ${error.message}`);
      this.#changeDrive();
    }
    this.#later(RETRY_US, again);
  }

  #opened(opened: OpenedLog<KeptRecord>, done: (recovered: Recovered) => void): void {
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
    this.#truth.recovered(recordKeys(opened.records));
    const { store, recovered } = ShardStore.start({
      opened,
      answers: this.#answersOfBoot(),
      memory: this.#memory,
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
    done(recovered);
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
    this.#drive.disk.powerCut();
    // A file whose creation was falsely reported may be gone without any of its pages having changed.
    if (this.#truth.isSuspect) this.#drive.image.refresh();
  }

  #end(): void {
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
    this.#drive.release();
    this.#truth.lostAll();
    this.#hasLostReserve = false;
    this.#drive = this.#newDrive();
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
      // A process that is still opening its log has promised nothing, and tries again.
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
