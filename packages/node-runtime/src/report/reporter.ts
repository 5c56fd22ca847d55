/**
 * Reports a node's metrics to the ingest: one window per interval, aligned to the wall clock, so that the windows of
 * all nodes end at the same moments. Values recorded before the node has its key are in the first window.
 *
 *     enrolling --key--> reporting --stop--> stopped, the last window delivered or kept
 */
import type { DeliveryStatus, RecordedWindow, Recorder } from "@stashlight/telemetry";
import type { Logger } from "pino";

/** Accepts windows one after the other, and reports a gap for each lost one. */
export interface WindowTaker {
  take(window: RecordedWindow): Promise<void>;
  status(): DeliveryStatus;
}

export interface ReporterOptions {
  readonly recorder: Recorder;
  readonly windowMs: number;
  /** Resolves when the node has its key and its spool is open. Rejects if the signal is aborted. */
  readonly open: (signal: AbortSignal) => Promise<WindowTaker>;
  readonly nowMs: () => number;
  /** Returns a number from 0 to below 1, which spreads the nodes' batches over time. */
  readonly random: () => number;
  readonly logger: Logger;
}

/** Part of a window over which the nodes of a fleet spread their batches. */
const SPREAD_SHARE = 0.1;
/** Longest time that stopping a node waits for the last window. */
const LAST_WINDOW_WITHIN_MS = 2000;

export class Reporter {
  readonly #options: ReporterOptions;
  readonly #stopping = new AbortController();
  readonly #opened: Promise<WindowTaker | null>;
  #taker: WindowTaker | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Complete window that waits for its time to be sent. */
  #waiting: RecordedWindow | null = null;
  #trouble: string | null = null;
  #remark: string | null = null;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#followStatus();
    this.#opened = this.#open();
  }

  async #open(): Promise<WindowTaker | null> {
    const { open, logger } = this.#options;
    try {
      this.#taker = await open(this.#stopping.signal);
    } catch (error) {
      if (!this.#stopping.signal.aborted) logger.error({ err: error }, "nothing is reported to the ingest");
      return null;
    }
    logger.info("reporting to the ingest");
    this.#schedule();
    return this.#taker;
  }

  #schedule(): void {
    const { windowMs, nowMs } = this.#options;
    this.#timer = setTimeout(() => this.#tick(), windowMs - (nowMs() % windowMs));
  }

  #tick(): void {
    if (this.#stopping.signal.aborted) return;
    const { recorder, windowMs, random } = this.#options;
    this.#waiting = recorder.takeWindow();
    this.#timer = setTimeout(
      () => {
        void this.#deliver();
        this.#schedule();
      },
      random() * windowMs * SPREAD_SHARE,
    );
  }

  async #deliver(): Promise<void> {
    const window = this.#waiting;
    this.#waiting = null;
    if (window === null) return;
    await this.#taker?.take(window);
    this.#tellTrouble();
    this.#tellRemark();
  }

  /** Logs a problem once when it begins, changes or ends. */
  #tellTrouble(): void {
    const trouble = this.#taker?.status().trouble ?? null;
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    const { logger } = this.#options;
    if (trouble === null) logger.info("the ingest accepts batches again");
    else logger.warn({ trouble }, "batches wait for the ingest");
  }

  /** Logs once when the remark appears or changes. */
  #tellRemark(): void {
    const remark = this.#taker?.status().remark ?? null;
    if (remark === this.#remark) return;
    this.#remark = remark;
    if (remark !== null)
      this.#options.logger.warn({ remark }, "the ingest did not store all of a batch as it was sent");
  }

  #followStatus(): void {
    const { recorder } = this.#options;
    const spoolBytes = recorder.gauge("stashlight_agent_spool_bytes", {});
    const replayed = recorder.counter("stashlight_agent_batches_replayed_total", {});
    recorder.onRead(() => {
      const status = this.#taker?.status();
      if (status === undefined) return;
      spoolBytes.set(status.spoolBytes);
      replayed.follow(status.replayedTotal);
      for (const [reason, total] of status.droppedTotals)
        recorder.counter("stashlight_agent_batches_dropped_total", { reason }).follow(total);
    });
  }

  /** Delivers or keeps the data recorded since the last window. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    const taker = await this.#opened;
    if (taker === null) return;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LAST_WINDOW_WITHIN_MS);
    });
    const last = this.#deliver().then(() => taker.take(this.#options.recorder.takeWindow()));
    await Promise.race([last, patience]);
    clearTimeout(timer);
  }
}
