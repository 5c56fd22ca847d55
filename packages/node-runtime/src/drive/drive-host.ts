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
import { PageError } from "@stashlight/paged-memory";
import type { DiskError, LogError, LogStats, OpenedLog } from "@stashlight/shard-log";
import type { KeptRecord, SavedBoot } from "@stashlight/shard-store";
import type { Address, MissingShards, VaultConfig } from "@stashlight/write-path";
import { type DriveConfig, type Quarantine, scrubRoundDays } from "../config/index.ts";
import { monotonicNowMs } from "../host/clock.ts";
import { processSurroundings } from "../host/process-surroundings.ts";
import type { VisibleObjects } from "../objects/visible-survey.ts";
import type { HeldShard, ShardHolder } from "../uploads-page.ts";
import { DamageWatch, type DriveDamage } from "./drive-damage.ts";
import type { DriveHostOptions } from "./drive-host-options.ts";
import { DriveRefusedError, hasNotAnswered, isMisplaced } from "./drive-refused.ts";
import { DriveScrub, type ScrubReport } from "./drive-scrub.ts";
import { isFormatPermitted, noteOpened } from "./format-permit.ts";
import type { IndexPagesUse } from "./index-pages.ts";
import { type OpenDrive, openDrive } from "./open-drive.ts";
import { Countdown, type Progress } from "./operation-progress.ts";
import { ReadErrorBudget } from "./read-error-budget.ts";
import { Reopening } from "./reopening.ts";
import { RunningDrive } from "./running-drive.ts";

export type DriveState =
  | { readonly type: "opening" }
  | { readonly type: "running"; readonly lifecycle: string }
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "stopped" };

const UPKEEP_EVERY_MS = 250;
/** Interval of upkeeps above which the process was busy or paused. */
const LATE_UPKEEP_MS = 1000;
/** Longer than a process is busy with one step, for example while another drive starts. */
const LATE_STALL_MS = 60_000;
const PROGRESS_EVERY_UPKEEPS = 8;
/** Far longer than any operation of a healthy drive, and shorter than the timeouts of clients. */
const STALL_MS = 10_000;

export interface MissingProgress extends MissingShards {
  /** Maximum of the missing bytes since they were last zero. */
  readonly totalBytes: number;
  /** Null until it is known. */
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
  #running: RunningDrive | null = null;
  #upkeep: NodeJS.Timeout | null = null;
  #retry: NodeJS.Timeout | null = null;
  #reopening: Reopening;
  #budget = new ReadErrorBudget();
  #scrub: DriveScrub;
  readonly #damage = new DamageWatch();
  #upkeepCount = 0;
  #keptUpMs = 0;
  /** Reason why the next opening reads the log; null if it may continue with an index that was saved. */
  #scanReason: string | null = null;
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
    const missing = this.#running?.machine.missingShards?.();
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
    if (this.#state === "running")
      return { type: "running", lifecycle: this.#running?.machine.lifecycle() ?? "" };
    return this.#state === "failed" ? { type: "failed", reason: this.#reason } : { type: this.#state };
  }

  logStats(): LogStats | null {
    return this.#running?.logStats() ?? null;
  }

  /** Memory of the pod's index; null while the drive is not running, and for a stash device. */
  index(): IndexUse | null {
    return this.#running?.index() ?? null;
  }

  /** Pages of the pod's index; null while the drive is not running, and for a stash device. */
  indexPages(): IndexPagesUse | null {
    return this.#running?.indexPages() ?? null;
  }

  /** Bytes that the shards of visible objects need on this drive; null while unknown. */
  visibleBytes(): number | null {
    return this.#running?.survey?.bytes ?? null;
  }

  /** Visible objects with a shard on this drive; null while unknown. */
  visibleObjects(): VisibleObjects | null {
    return this.#running?.survey?.objects ?? null;
  }

  /** Bytes in use on this drive when visible objects were counted; null while unknown. */
  countedBytes(): number | null {
    return this.#running?.survey?.inUseBytes ?? null;
  }

  damage(): DriveDamage {
    const stats = this.logStats();
    return this.#damage.damage(stats, this.#running?.machine.damage?.(), this.#scrub.report(stats));
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
    return this.#running?.machine.refusals() ?? new Map();
  }

  unpurgedByPod(): ReadonlyMap<number, number> {
    return this.#running?.machine.unpurgedByPod?.() ?? new Map();
  }

  shardsOf(object: { readonly bucket: string; readonly key: string }): readonly HeldShard[] {
    return this.#orFail(() => this.#running?.machine.shardsOf(object)) ?? [];
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
    const { file, address, switchboard, boot, observe, watch, indexMemory } = this.#options;
    const driveCount = this.#driveCount;
    const memory = this.#open?.indexPages?.memory ?? null;
    const machine = await boot(this.#drive, memory, saved?.pod ?? null);
    // Another drive has taken the place of this one, whose volume is already closed.
    if (driveCount !== this.#driveCount || (this.#state as DriveState["type"]) === "stopped") return;
    const started = machine.start({
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
    const running = new RunningDrive(this.#options, machine, started, this.#open?.indexPages ?? null);
    this.#running = running;
    this.#state = "running";
    this.#scanReason = null;
    this.#reopening.opened(monotonicNowMs(), opened.suspectSegmentCount);
    this.#budget.opened(monotonicNowMs());
    this.#scrub.attach(started.store);
    this.#upkeep = setInterval(() => this.#orFail(() => this.#keepUp(running)), UPKEEP_EVERY_MS);
    started.recover();
    // The machine may have halted while it recovered.
    if (this.#running !== running) return;
    const { recordsLive } = running.logStats();
    this.#open?.indexPages?.started(recordsLive);
    const isIndexResumed = opened.isResumed;
    const shardCount = isIndexResumed ? recordsLive : started.recoveredShardCount;
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

  #keepUp(running: RunningDrive): void {
    const { log } = running.store;
    const stats = running.logStats();
    if (stats.state === "poisoned") {
      void this.#fail(`the volume accepts no more writes: ${log.poison?.message}`);
      return;
    }
    const nowMs = monotonicNowMs();
    for (const each of this.#damage.check(stats, running.machine.damage?.(), nowMs))
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
    // After a pause of the process itself, the drive may have answered without having been heard.
    const isLate = nowMs - this.#keptUpMs > LATE_UPKEEP_MS;
    this.#keptUpMs = nowMs;
    const stalledMs = this.#open?.oldestCallMs() ?? 0;
    if (stalledMs > (isLate ? LATE_STALL_MS : STALL_MS)) {
      void this.#fail(`the drive has not answered for ${Math.round(stalledMs / 1000)} s`);
      return;
    }
    running.keepUp(stats);
    this.#upkeepCount += 1;
    if (this.#upkeepCount % PROGRESS_EVERY_UPKEEPS === 0) {
      this.missing();
      this.draining();
    }
    // Nothing else changes the log while its state is being saved.
    if (!log.isPaused) this.#scrub.tick(stats, (this.#open?.unusedMs() ?? 0) >= scrubMarks.idleAfterMs);
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
    // An opening that failed has not changed the saved state.
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
    const [open, running, scrub] = [this.#open, this.#running, this.#scrub];
    const ended = running?.end();
    this.#damage.bootEnded(running?.logStats().counters);
    scrub.detach();
    this.#running = null;
    this.#open = null;
    // Writes that closing could not make durable were never reported as durable.
    await ended;
    await Promise.all([open?.close().catch(() => {}), scrub.settle()]);
  }

  /** Makes written data durable, saves the index for the next start, and releases the volume. */
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
    const running = this.#running;
    if (running === null) return;
    this.#scrub.detach();
    const saved = await running.saveIndex(() => this.#running !== running);
    if (saved !== null) this.#options.observe(saved);
  }
}

function describeCause({ cause, message }: DiskError): string {
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
}
