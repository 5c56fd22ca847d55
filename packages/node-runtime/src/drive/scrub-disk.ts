/**
 * Shares one disk among the scrubs of the drives on it, and makes them give way to all other work on the disk, of this
 * process or of another:
 *
 * - The scrubs on a disk together read no faster than one of them may.
 * - While no scrub reads, the kernel's time in queue of the disk grows by the work of others alone. Once they keep more
 *   than `busyRequests` requests in progress, the share of their rate that scrubs get is halved, down to `yieldedShare`;
 *   while the disk is quiet it grows back. Scrubs of other processes count as others, so they share the disk evenly.
 * - No scrub gets less than its floor, which keeps the promised interval.
 */
import { scrubMarks } from "@stashlight/contracts/thresholds";
import type { ScrubPace } from "./scrub-schedule.ts";

/** Time without a scrub's read after which the load by others is judged. */
const JUDGED_AFTER_MS = 500;
/**
 * Time of reading without such a pause after which the disk counts as busy, because the load by others is unknown.
 */
const UNJUDGED_MS_MAX = 5000;

export interface ScrubDiskOptions {
  readonly monotonicMs: () => number;
  /** Sum of the times that all requests have taken so far; null if the kernel does not count it. */
  readonly queueMs: () => number | null;
}

interface Reading {
  readonly atMs: number;
  readonly queueMs: number | null;
}

export class ScrubDisk {
  readonly #options: ScrubDiskOptions;
  readonly #paces = new Map<object, ScrubPace>();
  #readingCount = 0;
  #pauseStart: Reading | null = null;
  #pausedMs = 0;
  #othersMs = 0;
  #judgedMs: number;
  #share: number = scrubMarks.yieldedShare;
  #isBusy = true;

  constructor(options: ScrubDiskOptions) {
    this.#options = options;
    this.#judgedMs = options.monotonicMs();
    this.#beginPause();
  }

  /** True while other work keeps the disk busy, and until the disk has been judged. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Returns the bytes per second granted to a scrub. */
  grant(scrub: object, pace: ScrubPace): number {
    if (pace.wanted === 0) this.#paces.delete(scrub);
    else this.#paces.set(scrub, pace);
    return Math.max(pace.floor, Math.min(pace.wanted, this.#fairRate()) * this.#share);
  }

  /**
   * Rate limit that keeps all scrubs together within the rate of one. Scrubs that want less get what they want; the
   * others share the rest evenly.
   */
  #fairRate(): number {
    const paces = [...this.#paces.values()];
    let left = Math.max(0, ...paces.map(({ ceiling }) => ceiling));
    const inOrder = paces.map(({ wanted }) => wanted).sort((a, b) => a - b);
    for (const [at, wanted] of inOrder.entries()) {
      const share = left / (inOrder.length - at);
      if (wanted > share) return share;
      left -= wanted;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Forgets a scrub whose drive was closed. */
  leave(scrub: object): void {
    this.#paces.delete(scrub);
  }

  /** Called several times per second while a drive on the disk runs. */
  tick(): void {
    const nowMs = this.#options.monotonicMs();
    if (this.#pauseStart === null) {
      if (nowMs - this.#judgedMs >= UNJUDGED_MS_MAX) this.#judge(true);
    } else if (this.#pausedMs + nowMs - this.#pauseStart.atMs >= JUDGED_AFTER_MS) {
      this.#endPause();
      this.#beginPause();
    }
  }

  /** Called before a scrub reads; returns a function to call once it has read. */
  beginReading(): () => void {
    if (this.#readingCount === 0) this.#endPause();
    this.#readingCount++;
    return () => {
      this.#readingCount--;
      if (this.#readingCount === 0) this.#beginPause();
    };
  }

  #beginPause(): void {
    this.#pauseStart = { atMs: this.#options.monotonicMs(), queueMs: this.#options.queueMs() };
  }

  #endPause(): void {
    const start = this.#pauseStart;
    this.#pauseStart = null;
    if (start === null) return;
    const queueMs = this.#options.queueMs();
    this.#pausedMs += this.#options.monotonicMs() - start.atMs;
    // A count that falls belongs to another device; without counts, other work is invisible.
    if (queueMs !== null && start.queueMs !== null) this.#othersMs += Math.max(0, queueMs - start.queueMs);
    if (this.#pausedMs < JUDGED_AFTER_MS) return;
    this.#judge(this.#othersMs / this.#pausedMs > scrubMarks.busyRequests);
  }

  #judge(isBusy: boolean): void {
    const { yieldedShare } = scrubMarks;
    this.#isBusy = isBusy;
    this.#share = isBusy ? Math.max(yieldedShare, this.#share / 2) : Math.min(1, this.#share + yieldedShare);
    this.#pausedMs = 0;
    this.#othersMs = 0;
    this.#judgedMs = this.#options.monotonicMs();
  }
}

/** The disks under the drives of a process, by name. */
export class ScrubDisks {
  readonly #queueMsOf: (disk: string) => number | null;
  readonly #monotonicMs: () => number;
  /** Bounded by the machine's disks. */
  readonly #disks = new Map<string, ScrubDisk>();

  constructor(queueMsOf: (disk: string) => number | null, monotonicMs: () => number) {
    this.#queueMsOf = queueMsOf;
    this.#monotonicMs = monotonicMs;
  }

  of(name: string): ScrubDisk {
    const known = this.#disks.get(name);
    if (known !== undefined) return known;
    const queueMs = () => this.#queueMsOf(name);
    const disk = new ScrubDisk({ monotonicMs: this.#monotonicMs, queueMs });
    this.#disks.set(name, disk);
    return disk;
  }
}
