/**
 * One drive of a node: its volume, its store and its state machine.
 *
 *     opening --> running --> stopping --> stopped
 *        |  ^        | halted or poisoned
 *        v  '-- after a delay -- failed <--'
 *
 * A drive that fails, or whose machine halts, is closed and opened again as a new boot, which starts by recovery. The
 * other drives of the node continue. Another drive may take its place, which starts at the top again.
 */

import type { IndexUse } from "@stashlight/contracts/space";
import { scrubMarks, stashMarks } from "@stashlight/contracts/thresholds";
import { DAY_MS } from "@stashlight/contracts/time";
import { PageError, type PageMemory } from "@stashlight/paged-memory";
import type { DiskError, LogError, LogStats, OpenedLog } from "@stashlight/shard-log";
import type { KeptRecord, SavedBoot, ShardStore } from "@stashlight/shard-store";
import type { Address, MissingShards, SavedPod, VaultConfig } from "@stashlight/write-path";
import { type DriveConfig, type Quarantine, scrubRoundDays, type VaultFile } from "../config/index.ts";
import { monotonicNowMs } from "../host/clock.ts";
import type { Switchboard } from "../host/message-router.ts";
import { processSurroundings } from "../host/process-surroundings.ts";
import { type VisibleObjects, VisibleSurvey } from "../objects/visible-survey.ts";
import type { HeldShard, ShardHolder } from "../uploads-page.ts";
import { type DamageObservation, DamageWatch, type DriveDamage } from "./drive-damage.ts";
import type { DriveMachine, DriveWatch, RunningMachine } from "./drive-machine.ts";
import { DriveRefusedError, hasNotAnswered, isMisplaced } from "./drive-refused.ts";
import { DriveScrub, type ScrubReport } from "./drive-scrub.ts";
import { isFormatPermitted, noteOpened } from "./format-permit.ts";
import type { HeapIndexMemory } from "./heap-index-memory.ts";
import { IndexCheckpoints } from "./index-checkpoints.ts";
import { type StopObservation, saveIndex } from "./index-of-stop.ts";
import type { IndexPagesOptions, IndexPagesUse } from "./index-pages.ts";
import type { DiskMeter } from "./metered-disk.ts";
import { type OpenDrive, type OpenDriveOptions, openDrive } from "./open-drive.ts";
import { Countdown, type Progress } from "./operation-progress.ts";
import { ReadErrorBudget } from "./read-error-budget.ts";
import { Reopening } from "./reopening.ts";
import type { ScrubDisk } from "./scrub-disk.ts";

export type DriveState =
  | { readonly type: "opening" }
  | { readonly type: "running"; readonly lifecycle: string }
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "stopped" };

export interface DriveHostOptions {
  readonly file: VaultFile;
  /** The initial drive; another one may replace it. */
  readonly drive: DriveConfig;
  readonly address: Address;
  /** Folder for the node's state of this drive's machine. */
  readonly stateFolder: string;
  readonly policy: "ring" | "extents";
  readonly mayFormat: boolean;
  /** True for a stash device that gets no new shards. */
  readonly isDraining: () => boolean;
  readonly switchboard: Switchboard;
  readonly meter?: DiskMeter;
  readonly watch?: DriveWatch;
  /** Begins a boot; rejects if its id cannot be made durable. */
  readonly boot: (
    drive: DriveConfig,
    memory: PageMemory | null,
    saved: SavedPod | null,
  ) => Promise<DriveMachine>;
  readonly observe: (event: DriveObservation) => void;
  readonly wrapDisk?: OpenDriveOptions["wrapDisk"];
  /** The disk under the folder of a drive, which its scrub shares with others; null while it is not known. */
  readonly scrubDiskAt: (path: string) => ScrubDisk | null;
  /** Bounds the records of a pod; absent for a stash device, whose ring bounds its records. */
  readonly indexMemory?: HeapIndexMemory;
  /** Limits the memory of a pod's index; absent for a stash device. */
  readonly indexPages?: IndexPagesOptions;
}

export type DriveObservation =
  | {
      readonly type: "opened";
      readonly shardCount: number;
      readonly damageCount: number;
      /** Number of live records known to fail their checksum. */
      readonly corruptCount: number;
      readonly durationMs: number;
      /** True if the pod continued with an index that was saved. */
      readonly isIndexResumed: boolean;
      /** Reason why the index was built from the log instead; null if it was not, and for a stash device. */
      readonly scanReason: string | null;
    }
  | StopObservation
  /** Called when a checkpoint fails for a new reason; the checkpoint is retried. */
  | { readonly type: "indexNotCheckpointed"; readonly reason: string }
  | { readonly type: "failed"; readonly reason: string; readonly retryAfterMs: number }
  | DamageObservation
  | { readonly type: "toleratesUnreadablePages"; readonly unreadablePagesMax: number }
  /** Called when the drive can be read but accepts no writes, and has to be replaced. */
  | { readonly type: "reserveLost" }
  | { readonly type: "scrubNotSaved"; readonly reason: string }
  /** Called when the file of the index accepts no pages, so that they stay in memory. */
  | { readonly type: "indexStays"; readonly reason: string };

const UPKEEP_EVERY_MS = 250;
/** Interval between upkeeps above which the process was busy or paused. */
const LATE_UPKEEP_MS = 1000;
/** Longer than a process is busy with one step, for example while another drive starts. */
const LATE_STALL_MS = 60_000;
const COMPACT_EVERY_UPKEEPS = 20;
const OUTCOMES_EVERY_UPKEEPS = 40;
const PROGRESS_EVERY_UPKEEPS = 8;
/** Interval, in upkeeps, at which known corrupt records are reported to the machine again. */
const CORRUPT_EVERY_UPKEEPS = 4;
/** Far longer than any operation of a healthy drive, and shorter than the timeouts of clients. */
const STALL_MS = 10_000;
/**
 * Visible objects are counted in slices of a tenth of a millisecond per upkeep: every two seconds if there are few, so
 * that pages reflect an upload or a deletion at once, and every half minute if there are many.
 */
const SURVEY_PAUSE_PER_STEP_MS = 2_000;
const SURVEY_PAUSE_MS_MAX = 30_000;
const SURVEY_OBJECTS = 500;

/** Time limit for a checkpoint in progress at shutdown, far below that of the process. */
const CHECKPOINT_ENDS_WITHIN_MS = 5_000;

export interface MissingProgress extends MissingShards {
  /** Maximum of the missing bytes since they were last zero. */
  readonly totalBytes: number;
  /** Null while unknown. */
  readonly bytesPerSecond: number | null;
}

export class DriveHost implements ShardHolder {
  readonly #options: DriveHostOptions;
  #drive: DriveConfig;
  /** Number of drives that have been in this place. */
  #driveCount = 1;
  #state: DriveState["type"] = "opening";
  #reason = "";
  #open: Omit<OpenDrive, "opened" | "saved"> | null = null;
  #machine: DriveMachine | null = null;
  #running: RunningMachine | null = null;
  #upkeep: NodeJS.Timeout | null = null;
  #retry: NodeJS.Timeout | null = null;
  #reopening: Reopening;
  #budget = new ReadErrorBudget();
  #scrub: DriveScrub;
  readonly #damage = new DamageWatch();
  #upkeepCount = 0;
  #keptUpMs = 0;
  /** Reason why the file of the index accepted no page when last checked. */
  #pagesError: string | null = null;
  #survey: VisibleSurvey | null = null;
  #checkpoints: IndexCheckpoints | null = null;
  /** Reason why the next opening reads the log; null if it may continue with a saved index. */
  #scanReason: string | null = null;
  #detachIndex = () => {};
  readonly #rebuild = new Countdown();
  readonly #drain = new Countdown();

  constructor(options: DriveHostOptions) {
    this.#options = options;
    this.#drive = options.drive;
    this.#reopening = new Reopening(options.file.reopenAfterMsMax);
    this.#scrub = this.#newScrub();
    options.switchboard.connect(options.address, {
      receive: (from, message) => this.#running?.shell.receive(from, message),
    });
  }

  get address(): Address {
    return this.#options.address;
  }

  get drive(): DriveConfig {
    return this.#drive;
  }

  /** Shards that the machine should hold but lacks; null while it is not running, and for a stash device. */
  missing(): MissingProgress | null {
    const missing = this.#running === null ? undefined : this.#machine?.missingShards?.();
    if (missing === undefined) return null;
    this.#rebuild.note(missing.bytes, monotonicNowMs());
    const { total, perSecond } = this.#rebuild.progress();
    return { ...missing, totalBytes: total, bytesPerSecond: perSecond };
  }

  /** Quarantine of a stash device; null for a device that is in none. */
  quarantine(): Quarantine | null {
    return ("quarantine" in this.#drive ? this.#drive.quarantine : undefined) ?? null;
  }

  /** Shards that a draining device still holds; null for other devices, and while it is not running. */
  draining(): Progress | null {
    const stats = this.#options.isDraining() ? this.logStats() : null;
    if (stats === null) return null;
    this.#drain.note(stats.recordsLive, monotonicNowMs());
    return this.#drain.progress();
  }

  /** Adopts another epoch of the vault, in which this drive is the same or has replaced the previous one. */
  adopt(drive: DriveConfig, config: VaultConfig): void {
    const before = this.#drive;
    this.#drive = drive;
    if (drive.driveId === before.driveId && drive.path === before.path) {
      this.#running?.configure(config);
      return;
    }
    this.#driveCount += 1;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#reopening = new Reopening(this.#options.file.reopenAfterMsMax);
    this.#budget = new ReadErrorBudget();
    this.#scanReason = null;
    this.#state = "opening";
    // Abandons the old scrub, because a drive that hangs might never end it.
    this.#scrub.detach();
    this.#scrub = this.#newScrub();
    void this.#endBoot();
    void this.#startAgain();
  }

  get state(): DriveState {
    if (this.#state === "running") return { type: "running", lifecycle: this.#machine?.lifecycle() ?? "" };
    return this.#state === "failed" ? { type: "failed", reason: this.#reason } : { type: this.#state };
  }

  logStats(): LogStats | null {
    return this.#running?.store.log.stats() ?? null;
  }

  /** Memory of the pod's index; null while the drive is not running, and for a stash device. */
  index(): IndexUse | null {
    const { indexMemory } = this.#options;
    const stats = this.logStats();
    if (indexMemory === undefined || stats === null) return null;
    const { recordsLive: records } = stats;
    const pages = this.#open?.indexPages ?? null;
    const sharers = indexMemory.podsOn(pages?.fileSystem ?? null);
    const fileMax = records + (pages?.recordsUntilFull(records) ?? Infinity) / Math.max(1, sharers);
    const recordsMax = Math.floor(Math.min(fileMax, indexMemory.recordsMax(records)));
    return { records, recordsMax, share: indexMemory.usedShare() };
  }

  /** Pages of the pod's index; null while the drive is not running, and for a stash device. */
  indexPages(): IndexPagesUse | null {
    return this.#open?.indexPages?.use() ?? null;
  }

  /** Bytes that the shards of visible objects need on this drive; null while unknown. */
  visibleBytes(): number | null {
    return this.#survey?.bytes ?? null;
  }

  /** Visible objects with a shard on this drive; null while unknown. */
  visibleObjects(): VisibleObjects | null {
    return this.#survey?.objects ?? null;
  }

  /** Bytes in use on this drive when visible objects were counted; null while unknown. */
  countedBytes(): number | null {
    return this.#survey?.inUseBytes ?? null;
  }

  damage(): DriveDamage {
    const stats = this.logStats();
    return this.#damage.damage(stats, this.#machine?.damage?.(), this.#scrub.report(stats));
  }

  scrubReport(): ScrubReport {
    return this.#scrub.report(this.logStats());
  }

  /** Starts to verify the whole drive, or joins the requested round. */
  startScrub(bytesPerSecond: number | null): void {
    this.#scrub.start(bytesPerSecond);
  }

  /** Resumes the scheduled round. */
  stopScrub(): void {
    this.#scrub.stop();
  }

  refusals(): ReadonlyMap<string, number> {
    return this.#machine?.refusals() ?? new Map();
  }

  unpurgedByPod(): ReadonlyMap<number, number> {
    return this.#machine?.unpurgedByPod?.() ?? new Map();
  }

  shardsOf(object: { readonly bucket: string; readonly key: string }): readonly HeldShard[] {
    return this.#orFail(() => this.#machine?.shardsOf(object)) ?? [];
  }

  /**
   * Resolves when the volume is open and its machine has recovered, or when the device has failed, after which opening
   * is retried. Rejects with a DriveRefusedError if the folder is not this drive's. An operator has to correct that; if
   * the folder is only missing, `waitForFolder` can wait for it.
   */
  async start(): Promise<void> {
    try {
      await this.#openAndRun();
    } catch (error) {
      if (isMisplaced(error)) {
        this.#state = "stopped";
        throw new DriveRefusedError(
          { address: this.address, drive: this.#drive },
          error as DiskError | LogError,
        );
      }
      this.#openingFailed(error);
      await this.#fail((error as Error).message);
    }
  }

  /** Treats the drive as failed, and checks for its folder repeatedly. */
  async waitForFolder({ cause }: DriveRefusedError): Promise<void> {
    this.#state = "opening";
    await this.#fail(cause.message);
  }

  async #startAgain(): Promise<void> {
    const drive = this.#driveCount;
    try {
      await this.#openAndRun();
    } catch (error) {
      if (drive !== this.#driveCount) return;
      this.#openingFailed(error);
      await this.#fail((error as Error).message);
    }
  }

  #openingFailed(error: unknown): void {
    if (hasNotAnswered(error)) this.#reopening.openingFailed(monotonicNowMs());
  }

  async #openAndRun(): Promise<void> {
    const startMs = monotonicNowMs();
    this.#state = "opening";
    // Only the machine gets the opened records, so that they are freed when it no longer needs them.
    const { stateFolder, mayFormat, observe } = this.#options;
    const [drive, driveCount] = [this.#drive, this.#driveCount];
    const budget = this.#budget;
    const unreadablePagesMax = this.#reopening.unreadablePagesMax(startMs);
    if (unreadablePagesMax > 0) observe({ type: "toleratesUnreadablePages", unreadablePagesMax });
    const { opened, saved, ...open } = await openDrive({
      ...this.#options,
      drive,
      mayFormat: mayFormat || isFormatPermitted(stateFolder, drive),
      unreadablePagesMax,
      acceptsLosses: this.#reopening.acceptsLosses(startMs),
      scanReason: this.#scanReason,
      readFailed: (volumeFile, offset, bytes, error) => {
        this.#damage.readFailed({ file: volumeFile, offset, bytes, cause: error.message });
        budget.note(volumeFile, offset, describeCause(error), monotonicNowMs());
      },
    });
    if (driveCount !== this.#driveCount || (this.#state as DriveState["type"]) === "stopped") {
      await open.close();
      return;
    }
    noteOpened(stateFolder, drive);
    this.#open = open;
    await this.#run(opened, saved, startMs);
  }

  async #run(opened: OpenedLog<KeptRecord>, saved: SavedBoot | null, startMs: number): Promise<void> {
    const { file, address, switchboard, boot, observe, watch, indexMemory, indexPages } = this.#options;
    const driveCount = this.#driveCount;
    const memory = this.#open?.indexPages?.memory ?? null;
    const machine = await boot(this.#drive, memory, saved?.pod ?? null);
    // Another drive has taken this one's place, whose volume is already closed.
    if (driveCount !== this.#driveCount || (this.#state as DriveState["type"]) === "stopped") return;
    const running = machine.start({
      opened,
      storeOptions: {
        defer: (action) => void setImmediate(action),
        after: (delayUs, action) => void setTimeout(action, delayUs / 1000),
        fullAtShare: file.stashFullAtShare,
        relievedAtShare: file.stashFullAtShare - stashMarks.reliefShare,
        ...(indexMemory && { indexMemory }),
        ...(memory && { memory }),
        saved,
      },
      surroundings: processSurroundings(address, switchboard),
      halt: (reason) => void this.#fail(reason),
      watch,
    });
    this.#machine = machine;
    this.#running = running;
    this.#survey = createSurvey(machine);
    if (indexMemory !== undefined)
      this.#detachIndex = indexMemory.attach({
        recordCount: () => running.store.log.stats().recordsLive,
        heldBytes: () => Math.min(this.indexPages()?.heldBytes ?? 0, indexPages?.heldBytesMax ?? 0),
        fileSystem: this.#open?.indexPages?.fileSystem ?? null,
      });
    this.#state = "running";
    this.#scanReason = null;
    this.#checkpoints = this.#newCheckpoints(running);
    this.#reopening.opened(monotonicNowMs(), opened.suspectSegmentCount);
    this.#budget.opened(monotonicNowMs());
    this.#scrub.attach(running.store);
    this.#upkeep = setInterval(() => this.#orFail(() => this.#keepUp(running.store)), UPKEEP_EVERY_MS);
    running.recover();
    // The machine may have halted because of what it read.
    if (this.#running !== running) return;
    const { recordsLive } = running.store.log.stats();
    this.#open?.indexPages?.started(recordsLive);
    const isIndexResumed = opened.isResumed;
    const shardCount = isIndexResumed ? recordsLive : running.recoveredShardCount;
    indexMemory?.started(shardCount);
    const [damageCount, corruptCount] = [opened.damage.length, opened.corruptRecords.length];
    const durationMs = monotonicNowMs() - startMs;
    const scanReason = this.#open?.indexPages?.scanReason ?? null;
    const start = { isIndexResumed, scanReason };
    observe({ type: "opened", shardCount, damageCount, corruptCount, durationMs, ...start });
    if (opened.hasLostReserve) observe({ type: "reserveLost" });
  }

  /** Treats the drive as failed, and returns undefined, if the index cannot be read. */
  #orFail<Value>(action: () => Value): Value | undefined {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof PageError)) throw error;
      void this.#fail(error.message);
      return undefined;
    }
  }

  #keepUp(store: ShardStore): void {
    const { log } = store;
    const stats = log.stats();
    if (stats.state === "poisoned") {
      void this.#fail(`the volume accepts no more writes: ${log.poison?.message}`);
      return;
    }
    const nowMs = monotonicNowMs();
    for (const each of this.#damage.check(stats, this.#machine?.damage?.(), nowMs))
      this.#options.observe(each);
    const excess = this.#budget.excess(nowMs);
    if (excess !== null) {
      void this.#fail(excess);
      return;
    }
    if (this.#reopening.acceptsLosses(nowMs)) {
      void this.#fail(
        "several segments have lost records; it is opened again to see if they can be read now",
      );
      return;
    }
    // After a pause of the process itself, an answer of the drive may still be unprocessed.
    const isLate = nowMs - this.#keptUpMs > LATE_UPKEEP_MS;
    this.#keptUpMs = nowMs;
    const stalledMs = this.#open?.oldestCallMs() ?? 0;
    if (stalledMs > (isLate ? LATE_STALL_MS : STALL_MS)) {
      void this.#fail(`the drive has not answered for ${Math.round(stalledMs / 1000)} s`);
      return;
    }
    store.checkFullness();
    this.#checkPages();
    this.#survey?.step(() => this.#machine?.visibleObjects?.() ?? [].values(), stats.bytesUsed);
    this.#upkeepCount += 1;
    if (this.#upkeepCount % PROGRESS_EVERY_UPKEEPS === 0) {
      this.missing();
      this.draining();
    }
    // Nothing else changes the log while its state is being saved.
    if (log.isPaused) return;
    if (this.#upkeepCount % OUTCOMES_EVERY_UPKEEPS === 0) {
      store.writeOutcomes();
      log.attest(() => {});
    }
    if (this.#upkeepCount % COMPACT_EVERY_UPKEEPS === 0 && this.#options.policy === "extents") {
      log.compact(() => {});
    }
    if (this.#upkeepCount % CORRUPT_EVERY_UPKEEPS === 0) store.reportCorrupt();
    this.#scrub.tick(stats, (this.#open?.unusedMs() ?? 0) >= scrubMarks.idleAfterMs);
    this.#checkpoints?.tick();
  }

  #newCheckpoints(running: RunningMachine): IndexCheckpoints | null {
    const pages = this.#open?.indexPages ?? null;
    const savePod = this.#machine?.save?.bind(this.#machine);
    if (pages === null || savePod === undefined) return null;
    return new IndexCheckpoints({ running, pages, savePod }, (reason) =>
      this.#options.observe({ type: "indexNotCheckpointed", reason }),
    );
  }

  #checkPages(): void {
    this.#open?.indexPages?.memory.tryAgain();
    const reason = this.indexPages()?.error ?? null;
    if (reason !== null && this.#pagesError === null) this.#options.observe({ type: "indexStays", reason });
    this.#pagesError = reason;
  }

  #newScrub(): DriveScrub {
    const { file, stateFolder, observe, scrubDiskAt } = this.#options;
    const { path } = this.#drive;
    return new DriveScrub({
      stateFolder,
      driveId: this.#drive.driveId,
      roundMs: scrubRoundDays(file) * DAY_MS,
      wallClockMs: Date.now,
      monotonicMs: monotonicNowMs,
      disk: () => scrubDiskAt(path),
      saveFailed: (reason) => observe({ type: "scrubNotSaved", reason }),
    });
  }

  async #fail(reason: string): Promise<void> {
    if (this.#state === "failed" || this.#state === "stopped") return;
    this.#state = "failed";
    this.#reason = reason;
    // An opening that failed has changed nothing that was saved.
    if (this.#running !== null) this.#scanReason = "the drive has failed";
    const driveCount = this.#driveCount;
    const retryAfterMs = this.#reopening.failed(monotonicNowMs());
    this.#options.observe({ type: "failed", reason, retryAfterMs });
    // Closing a drive that hangs waits for its answer.
    await this.#endBoot();
    if ((this.#state as DriveState["type"]) === "stopped" || driveCount !== this.#driveCount) return;
    this.#retry = setTimeout(() => void this.#startAgain(), retryAfterMs);
  }

  async #endBoot(): Promise<void> {
    if (this.#upkeep !== null) clearInterval(this.#upkeep);
    this.#detachIndex();
    this.#running?.shell.stop();
    this.#running?.store.end();
    const open = this.#open;
    this.#damage.bootEnded(this.logStats()?.counters);
    const [scrub, checkpoints] = [this.#scrub, this.#checkpoints];
    scrub.detach();
    this.#checkpoints = null;
    this.#running = null;
    this.#machine = null;
    this.#survey = null;
    this.#open = null;
    // Writes that closing could not make durable were never reported as durable.
    await checkpoints?.end(CHECKPOINT_ENDS_WITHIN_MS);
    await Promise.all([open?.close().catch(() => {}), scrub.settle()]);
  }

  /** Makes written data durable, saves the index for the next boot, and releases the volume. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    if (this.#retry !== null) clearTimeout(this.#retry);
    if (this.#upkeep !== null) clearInterval(this.#upkeep);
    const failed = ({ message }: Error) => this.#options.observe({ type: "indexNotSaved", reason: message });
    await this.#saveIndex().catch(failed);
    this.#running?.store.writeOutcomes();
    await this.#endBoot();
  }

  async #saveIndex(): Promise<void> {
    const [running, pages] = [this.#running, this.#open?.indexPages ?? null];
    const savePod = this.#machine?.save?.bind(this.#machine);
    if (running === null || pages === null || savePod === undefined) return;
    this.#scrub.detach();
    await this.#checkpoints?.end(CHECKPOINT_ENDS_WITHIN_MS);
    if (this.#running !== running) return;
    if (this.#checkpoints?.isBusy) throw new Error("a checkpoint of it has not ended");
    const saved = await saveIndex(running, pages, savePod, () => this.#running !== running);
    if (saved !== null) this.#options.observe(saved);
  }
}

function createSurvey(machine: DriveMachine): VisibleSurvey | null {
  if (machine.visibleObjects === undefined) return null;
  return new VisibleSurvey({
    nowMs: monotonicNowMs,
    pausePerStepMs: SURVEY_PAUSE_PER_STEP_MS,
    pauseMsMax: SURVEY_PAUSE_MS_MAX,
    objectsPerStep: SURVEY_OBJECTS,
  });
}

function describeCause({ cause, message }: DiskError): string {
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
}
