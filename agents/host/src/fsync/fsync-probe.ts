/**
 * Times the syncs of one drive with a small file on it, while the agent runs.
 *
 *     waiting --start--> syncing --failed--> failed --retry--> syncing ...
 *        `------------------- stop ------------------------------> stopped, the file removed
 *
 * Cost to a drive: a record of 4 KiB every quarter of a second on an SSD, which is 1.4 GB per day, and one per second
 * on an HDD, 0.35 GB per day; a file system's journal may add once or twice as much. The file has 1 MiB.
 */
import { rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { resolveEntry } from "@stashlight/contracts/process";
import type { Recorder } from "@stashlight/telemetry";
import type { Logger } from "pino";
import type { Medium } from "../arguments.ts";
import type { SyncMessage, SyncThreadData } from "./messages.ts";
import type { FsyncPlace } from "./timed-drive.ts";

export const PROBE_FILE_NAME = ".stashlight-host-fsync";

const FILE_BYTES = 1_048_576;
const RECORD_BYTES = 4_096;
/**
 * A p99 needs a thousand syncs, which takes four minutes on an otherwise idle SSD; monitoring must not keep an HDD
 * busy.
 */
const SYNC_EVERY_MS: Record<Medium, number> = { ssd: 250, hdd: 1_000 };
/** Free space kept, so that monitoring never fills the drive. */
const FREE_BYTES_MIN = 64 * FILE_BYTES;
/** Errors of the folder rather than the drive, whose state is then unknown. */
const NOT_OF_THE_DRIVE: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EACCES", "EPERM"]);
/** Time after which an unanswered sync counts as a drive that is not running. */
const OVERDUE_MS = 10_000;
const RETRY_MS = 60_000;
/** Enough for a page of memory and a timer. */
const THREAD_HEAP_MB = 16;

export interface FsyncProbeOptions {
  readonly place: FsyncPlace;
  readonly recorder: Recorder;
  readonly logger: Pick<Logger, "warn" | "info">;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  readonly everyMs?: number;
  readonly retryMs?: number;
  /** Blocks available to programs, and their size. */
  readonly readSpace?: (folder: string) => Promise<{ readonly bavail: number; readonly bsize: number }>;
}

export class FsyncProbe {
  readonly #options: FsyncProbeOptions;
  readonly #path: string;
  #thread: Worker | null = null;
  #retry: NodeJS.Timeout | null = null;
  #pendingSinceMs: number | null = null;
  #state: "waiting" | "syncing" | "failed" | "stopped" = "waiting";
  #isDriveAtFault = false;

  constructor(options: FsyncProbeOptions) {
    const { recorder, place } = options;
    this.#options = options;
    this.#path = join(place.folder, PROBE_FILE_NAME);
    const labels = { tier: place.medium, device: place.device };
    const running = recorder.gauge("stashlight_drive_running", labels);
    recorder.onRead(() => running.set(this.#running()));
  }

  /** Removes the file of a killed agent, and starts. */
  async start(): Promise<void> {
    const { place, readSpace = statfs } = this.#options;
    try {
      await rm(this.#path, { force: true });
      const { bavail, bsize } = await readSpace(place.folder);
      if (this.#state === "stopped") return;
      if (bavail * bsize < FREE_BYTES_MIN) {
        this.#fail({ code: "ENOSPC", message: `it has less than ${FREE_BYTES_MIN / FILE_BYTES} MiB free` });
        return;
      }
    } catch (error) {
      this.#fail(error as NodeJS.ErrnoException);
      return;
    }
    this.#state = "syncing";
    this.#startThread();
  }

  #startThread(): void {
    const { place, everyMs = SYNC_EVERY_MS[place.medium] } = this.#options;
    const workerData: SyncThreadData = {
      path: this.#path,
      fileBytes: FILE_BYTES,
      recordBytes: RECORD_BYTES,
      everyMs,
    };
    const { file, args } = resolveEntry("host-fsync-thread", new URL("./thread.ts", import.meta.url));
    const thread = new Worker(file, {
      argv: [...args],
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
    });
    this.#thread = thread;
    thread.on("message", (message: SyncMessage) => this.#hear(message));
    thread.on("error", (error) => this.#fail(error as NodeJS.ErrnoException));
    thread.unref();
  }

  #hear(message: SyncMessage): void {
    const { recorder, place, nowMs } = this.#options;
    const labels = { tier: place.medium, device: place.device };
    if (message.type === "begins") this.#pendingSinceMs = nowMs();
    else if (message.type === "synced") {
      this.#pendingSinceMs = null;
      recorder.histogram("stashlight_fsync_seconds", labels).record(message.seconds);
    } else {
      if (message.wasSync) recorder.counter("stashlight_fsync_errors_total", labels).add();
      this.#fail(message);
    }
  }

  #fail({ code, message: reason }: Pick<NodeJS.ErrnoException, "code" | "message">): void {
    if (this.#state === "stopped") return;
    const { place, logger, retryMs = RETRY_MS } = this.#options;
    const { folder, device } = place;
    logger.warn({ folder, device, reason }, "the syncs of a drive cannot be timed");
    this.#state = "failed";
    this.#isDriveAtFault = !NOT_OF_THE_DRIVE.has(code ?? "");
    this.#pendingSinceMs = null;
    this.#thread = null;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.start(), retryMs).unref();
  }

  /** Null if unknown. */
  #running(): number | null {
    if (this.#state === "failed") return this.#isDriveAtFault ? 0 : null;
    if (this.#state !== "syncing") return null;
    const { nowMs } = this.#options;
    return this.#pendingSinceMs !== null && nowMs() - this.#pendingSinceMs > OVERDUE_MS ? 0 : 1;
  }

  async stop(): Promise<void> {
    this.#state = "stopped";
    if (this.#retry !== null) clearTimeout(this.#retry);
    // A thread that waits for a drive does not end, so the next start removes its file.
    void this.#thread?.terminate();
    this.#thread = null;
    await rm(this.#path, { force: true }).catch(() => {});
  }
}
