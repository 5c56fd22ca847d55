/**
 * One drive of a node: its volume, its store and its state machine.
 *
 *     opening --> running --> stopping --> stopped
 *        |  ^        | halted or poisoned
 *        v  '-- after a while -- failed <--'
 *
 * A drive that fails, or whose machine halts, is closed and opened again as a new boot, which starts by recovery. The
 * other drives of the node go on.
 */
import type { DiskError, LogError, LogStats, OpenedLog } from "@stashlight/shard-log";
import {
  type KeptRecord,
  type Position,
  type Recovered,
  ShardStore,
  type StoreAnswers,
} from "@stashlight/shard-store";
import type {
  Address,
  LogEffect,
  PodEffect,
  PodEvent,
  StashEffect,
  StashEvent,
  TimerEvent,
} from "@stashlight/write-path";
import type { HeldShard, ShardHolder } from "../admin/uploads-page.ts";
import type { DriveConfig, VaultFile } from "../config/index.ts";
import { monotonicNowMs } from "../host/clock.ts";
import { MachineHost } from "../host/machine-host.ts";
import type { Switchboard } from "../host/switchboard.ts";
import type { DiskMeter } from "./metered-disk.ts";
import { type OpenDrive, type OpenDriveOptions, openDrive } from "./open-drive.ts";

type DriveEffect = PodEffect<Position> | StashEffect<Position>;
type DriveEvent = { readonly type: string };

/** One boot of a pod or a stash device. */
export interface DriveMachine {
  step(event: DriveEvent | TimerEvent, nowMs: number): DriveEffect[];
  shardsOf(object: { readonly bucket: string; readonly key: string }): readonly HeldShard[];
  recovered(recovered: Recovered): DriveEvent;
  /** A state of the machine's life, and what it has refused so far. */
  lifecycle(): string;
  refusals(): ReadonlyMap<string, number>;
  /** Shards on a stash device that wait for their pod. */
  unpurgedByPod?(): ReadonlyMap<number, number>;
}

/** Hears what the machine asks of the drive, and what it answers. */
export interface DriveWatch {
  asked(effect: DriveEffect): void;
  answered(event: PodEvent<Position> | StashEvent<Position>): void;
}

export type DriveState =
  | { readonly type: "opening" }
  | { readonly type: "running"; readonly lifecycle: string }
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "stopped" };

export interface DriveHostOptions {
  readonly file: VaultFile;
  readonly drive: DriveConfig;
  readonly address: Address;
  readonly policy: "ring" | "extents";
  readonly mayFormat: boolean;
  readonly switchboard: Switchboard;
  readonly meter?: DiskMeter;
  readonly watch?: DriveWatch;
  /** Begins a boot; rejects when that cannot be made durable. */
  readonly boot: () => Promise<DriveMachine>;
  readonly observe: (event: DriveObservation) => void;
  readonly wrapDisk?: OpenDriveOptions["wrapDisk"];
}

export type DriveObservation =
  | {
      readonly type: "opened";
      readonly shardCount: number;
      readonly damageCount: number;
      readonly durationMs: number;
    }
  | { readonly type: "failed"; readonly reason: string; readonly retryAfterMs: number };

const UPKEEP_EVERY_MS = 250;
const COMPACT_EVERY_UPKEEPS = 20;
const OUTCOMES_EVERY_UPKEEPS = 40;
/** Each live record is verified once in this time. */
const SCRUB_ROUND_MS = 30 * 86_400_000;
const RETRY_MS_MIN = 1000;
const RETRY_MS_MAX = 60_000;
/** Far longer than a healthy drive takes over anything, and shorter than clients wait. */
const STALL_MS = 10_000;
const RELIEF_SHARE = 0.05;

export class DriveHost implements ShardHolder {
  readonly #options: DriveHostOptions;
  #state: DriveState["type"] = "opening";
  #reason = "";
  #open: Omit<OpenDrive, "opened"> | null = null;
  #store: ShardStore | null = null;
  #machine: DriveMachine | null = null;
  #host: MachineHost<DriveEvent, DriveEffect> | null = null;
  #upkeep: NodeJS.Timeout | null = null;
  #retry: NodeJS.Timeout | null = null;
  #retryMs = RETRY_MS_MIN;
  #upkeepCount = 0;
  #scrubDebtBytes = 0;

  constructor(options: DriveHostOptions) {
    this.#options = options;
    options.switchboard.connect(options.address, {
      receive: (from, message) => this.#host?.receive(from, message),
    });
  }

  get address(): Address {
    return this.#options.address;
  }

  get drive(): DriveConfig {
    return this.#options.drive;
  }

  get state(): DriveState {
    if (this.#state === "running") return { type: "running", lifecycle: this.#machine?.lifecycle() ?? "" };
    return this.#state === "failed" ? { type: "failed", reason: this.#reason } : { type: this.#state };
  }

  logStats(): LogStats | null {
    return this.#store?.log.stats() ?? null;
  }

  refusals(): ReadonlyMap<string, number> {
    return this.#machine?.refusals() ?? new Map();
  }

  unpurgedByPod(): ReadonlyMap<number, number> {
    return this.#machine?.unpurgedByPod?.() ?? new Map();
  }

  shardsOf(object: { readonly bucket: string; readonly key: string }): readonly HeldShard[] {
    return this.#machine?.shardsOf(object) ?? [];
  }

  /**
   * Resolves when the volume is open and its machine has been given what it holds, or when the device has failed, which
   * is tried again. Rejects with a DriveRefusedError when the folder is not this drive's: that is for a person to mend,
   * who may be waited for with `waitForFolder` when it is only missing.
   */
  async start(): Promise<void> {
    try {
      await this.#openAndRun();
    } catch (error) {
      if (isMisplaced(error)) {
        this.#state = "stopped";
        throw new DriveRefusedError(this.#options, error as DiskError | LogError);
      }
      await this.#fail((error as Error).message);
    }
  }

  /** The drive counts as failed, and its folder is looked for now and then. */
  async waitForFolder({ cause }: DriveRefusedError): Promise<void> {
    this.#state = "opening";
    await this.#fail(cause.message);
  }

  async #startAgain(): Promise<void> {
    try {
      await this.#openAndRun();
    } catch (error) {
      await this.#fail((error as Error).message);
    }
  }

  async #openAndRun(): Promise<void> {
    const startMs = monotonicNowMs();
    this.#state = "opening";
    // What the volume held is told to the machine, and not kept beside what that makes of it.
    const { opened, ...open } = await openDrive(this.#options);
    this.#open = open;
    await this.#run(opened, startMs);
  }

  async #run(opened: OpenedLog<KeptRecord>, startMs: number): Promise<void> {
    const { file, address, policy, switchboard, boot, observe, watch } = this.#options;
    const machine = await boot();
    const host = new MachineHost<DriveEvent, DriveEffect>({
      address,
      step: (event, nowMs) => machine.step(event, nowMs),
      carryOut: (effect) => this.#carryOut(effect as Exclude<DriveEffect, { type: "send" | "setTimer" }>),
      send: (from, to, message) => switchboard.send(from, to, message),
      nowMs: monotonicNowMs,
    });
    const { store, recovered } = ShardStore.start({
      opened,
      policy,
      answers: answersTo(host, watch),
      defer: (action) => void setImmediate(action),
      after: (delayUs, action) => void setTimeout(action, delayUs / 1000),
      fullAtShare: file.stashFullAtShare,
      relievedAtShare: file.stashFullAtShare - RELIEF_SHARE,
    });
    this.#store = store;
    this.#machine = machine;
    this.#host = host;
    this.#state = "running";
    this.#retryMs = RETRY_MS_MIN;
    const event = machine.recovered(recovered);
    watch?.answered(event as PodEvent<Position>);
    host.take(event);
    this.#upkeep = setInterval(() => this.#keepUp(store), UPKEEP_EVERY_MS);
    const shardCount = recovered.shards.length;
    const damageCount = opened.damage.length;
    observe({ type: "opened", shardCount, damageCount, durationMs: monotonicNowMs() - startMs });
  }

  #carryOut(effect: LogEffect<Position> | Exclude<DriveEffect, { type: "send" | "setTimer" }>): void {
    const store = this.#store;
    if (store === null) return;
    this.#options.watch?.asked(effect);
    switch (effect.type) {
      case "append":
        store.append(effect.shard);
        return;
      case "kill":
        store.kill(effect.position);
        return;
      case "load":
        store.load(effect.loadId, effect.position);
        return;
      case "remember":
        store.remember(effect.position, effect.outcome);
        return;
      case "flush":
        store.flush();
        return;
      case "persistRefusal":
        store.persistRefusal(effect.refusal);
        return;
      case "halt":
        void this.#fail(effect.reason);
    }
  }

  #keepUp(store: ShardStore): void {
    const { log } = store;
    const stats = log.stats();
    if (stats.state === "poisoned") {
      void this.#fail("a write or a sync failed, and the volume takes no more");
      return;
    }
    const stalledMs = this.#open?.oldestCallMs() ?? 0;
    if (stalledMs > STALL_MS) {
      void this.#fail(`the drive has not answered for ${Math.round(stalledMs / 1000)} s`);
      return;
    }
    store.checkOccupancy();
    this.#upkeepCount += 1;
    if (this.#upkeepCount % OUTCOMES_EVERY_UPKEEPS === 0) {
      store.writeOutcomes();
      log.attest(() => {});
    }
    if (this.#upkeepCount % COMPACT_EVERY_UPKEEPS === 0 && this.#options.policy === "extents") {
      log.compact(() => {});
    }
    this.#scrubDebtBytes += (stats.bytesLive * UPKEEP_EVERY_MS) / SCRUB_ROUND_MS;
    if (this.#scrubDebtBytes < 1) return;
    store.scrub(this.#scrubDebtBytes);
    this.#scrubDebtBytes = 0;
  }

  async #fail(reason: string): Promise<void> {
    if (this.#state === "failed" || this.#state === "stopped") return;
    this.#state = "failed";
    this.#reason = reason;
    const retryAfterMs = this.#retryMs;
    this.#retryMs = Math.min(RETRY_MS_MAX, retryAfterMs * 2);
    this.#options.observe({ type: "failed", reason, retryAfterMs });
    // Of a drive that hangs this takes until it answers.
    await this.#endBoot();
    if ((this.#state as DriveState["type"]) === "stopped") return;
    this.#retry = setTimeout(() => void this.#startAgain(), retryAfterMs);
  }

  async #endBoot(): Promise<void> {
    if (this.#upkeep !== null) clearInterval(this.#upkeep);
    this.#host?.stop();
    this.#store?.end();
    const open = this.#open;
    this.#host = null;
    this.#store = null;
    this.#machine = null;
    this.#open = null;
    // What could not be made durable while closing is not durable, and nobody was told that it is.
    await open?.close().catch(() => {});
  }

  /** Makes durable what was written, and lets go of the volume. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#store?.writeOutcomes();
    await this.#endBoot();
  }
}

/** A folder that is not the drive's, in words for the person who is to mend that. */
export class DriveRefusedError extends Error {
  override readonly name = "DriveRefusedError";
  override readonly cause: DiskError | LogError;
  /** There is no volume where it should be: a device that is broken or not mounted looks like that. */
  readonly isMissing: boolean;

  constructor({ address, drive }: DriveHostOptions, cause: DiskError | LogError) {
    super(`Drive ${address} (${drive.path}): ${cause.message}`, { cause });
    this.cause = cause;
    this.isMissing = cause.code === "not_found" || cause.code === "not_formatted";
  }
}

/** The folder holds another drive's volume, another format's, none at all, or is used by another process. */
function isMisplaced(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" && MISPLACED.has(code);
}

const MISPLACED: ReadonlySet<string> = new Set([
  "foreign_cluster",
  "foreign_device",
  "unsupported_format",
  "wrong_geometry",
  "not_formatted",
  "invalid_options",
  "not_found",
  "locked",
]);

function answersTo(host: MachineHost<DriveEvent, DriveEffect>, watch: DriveWatch | undefined): StoreAnswers {
  const take = (event: PodEvent<Position> | StashEvent<Position>) => {
    watch?.answered(event);
    host.take(event);
  };
  return {
    appended: (uploadId, shardIndex, position) => take({ type: "appended", uploadId, shardIndex, position }),
    appendFailed: (uploadId, shardIndex, reason) =>
      take({ type: "appendFailed", uploadId, shardIndex, reason }),
    flushed: () => take({ type: "flushed" }),
    flushFailed: () => take({ type: "flushFailed" }),
    corrupt: (uploadId, shardIndex) => take({ type: "corrupt", uploadId, shardIndex }),
    loaded: (loadId, shard) => take({ type: "loaded", loadId, shard }),
    refusalPersisted: (uploadId) => take({ type: "refusalPersisted", uploadId }),
    occupancy: (isFull) => take({ type: "occupancy", isFull }),
  };
}
