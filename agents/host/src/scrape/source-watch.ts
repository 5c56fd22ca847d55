/**
 * Polls one store for its metrics, and records them as those of the catalogue.
 *
 *     waiting --its time--> asking --all addresses answered, failed or timed out--> waiting ...
 *        `---------------------- stop ------------------------------------------> stopped
 *
 * A metric that a store stops reporting is a gap at once. Requests never overlap, and a late answer is cancelled.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { MetricLabels, MetricName } from "@stashlight/contracts/metrics";
import type { GaugeHandle, Recorder } from "@stashlight/telemetry";
import type { Logger } from "pino";
import type { Medium } from "../arguments.ts";
import { mergeSamples, type Samples } from "./exposition.ts";
import type { ScrapeSource } from "./file.ts";
import { sourceKinds } from "./kinds/index.ts";
import type { Reading } from "./kinds/kind.ts";
import type { ReportedDevices } from "./reported-devices.ts";
import { ScrapeError } from "./scrape-error.ts";
import { askForMetrics } from "./scrape-request.ts";
import { Totals } from "./totals.ts";

export interface SourceWatchOptions {
  readonly source: ScrapeSource;
  readonly recorder: Recorder;
  readonly logger: Pick<Logger, "info" | "warn">;
  readonly devices: ReportedDevices;
  /** Milliseconds of the wall clock, for comparison with samples' timestamps. */
  readonly nowMs: () => number;
  readonly ask?: typeof askForMetrics;
}

/** An exporter slower than this has problems of its own, as does any client that waits for it. */
const TIMEOUT_MS_MAX = 10_000;

export class SourceWatch {
  readonly #options: Required<SourceWatchOptions>;
  readonly #stop = new AbortController();
  readonly #totals = new Totals();
  /** Keyed by admitted device, because the address that reports the media may be unreachable while others answer. */
  readonly #media = new Map<string, Medium>();
  #levels: ReadonlyMap<string, GaugeHandle> = new Map();
  #told = "";
  #running: Promise<void> = Promise.resolve();

  constructor(options: SourceWatchOptions) {
    this.#options = { ask: askForMetrics, ...options };
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { everySeconds } = this.#options.source;
    while (!this.#stop.signal.aborted) {
      const startMs = performance.now();
      await this.askOnce();
      const restMs = Math.max(0, everySeconds * 1000 - (performance.now() - startMs));
      await wait(restMs, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined);
    }
  }

  /** Never rejects. */
  async askOnce(): Promise<void> {
    const { source, ask, nowMs } = this.#options;
    const { wanted } = sourceKinds[source.kind];
    const timeoutMs = Math.min(TIMEOUT_MS_MAX, source.everySeconds * 1000);
    const { signal } = this.#stop;
    const answers = await Promise.all(
      source.urls.map((url) =>
        ask({ ...source, url, wanted, timeoutMs, signal, nowMs: nowMs() }).catch(
          (error: ScrapeError) => error,
        ),
      ),
    );
    if (signal.aborted) return;
    const failures = answers.filter((answer) => answer instanceof ScrapeError);
    const samples = mergeSamples(answers.filter((answer): answer is Samples => answer instanceof Map));
    if (failures.length === 0 && samples.size === 0) {
      failures.push(new ScrapeError("nothing-known", `No address answered with metrics of ${source.kind}.`));
    }
    const left = this.#record(samples);
    this.#tell(failures, left);
  }

  /** Returns a message for each reason for which drives were left out. */
  #record(samples: Samples): string[] {
    const { source, devices } = this.#options;
    const levels = new Map<string, GaugeHandle>();
    let unknown = 0;
    let tooMany = 0;
    for (const { device, medium: told, readings } of sourceKinds[source.kind].read(samples)) {
      const name = `${source.name}/${device}`;
      const medium = told ?? this.#media.get(name) ?? source.medium;
      if (medium === null) unknown += 1;
      else if (!devices.admit(name)) tooMany += 1;
      else {
        this.#media.set(name, medium);
        for (const reading of readings(name, medium)) this.#recordOne(reading, levels);
      }
    }
    for (const [key, handle] of this.#levels) if (!levels.has(key)) handle.set(null);
    this.#levels = levels;
    this.#totals.endAnswer();
    const left: string[] = [];
    if (unknown > 0)
      left.push(`${unknown} of unknown medium; add the manager's address, or a medium to the file`);
    if (tooMany > 0)
      left.push(`${tooMany} beyond ${devices.countMax} or with too long a name; run further host agents`);
    return left;
  }

  #recordOne(reading: Reading, levels: Map<string, GaugeHandle>): void {
    const { recorder } = this.#options;
    const set = (metric: MetricName<"gauge">, labels: Reading["labels"], value: number): void => {
      const handle = recorder.gauge(metric, labels as MetricLabels<typeof metric>);
      handle.set(value);
      levels.set(JSON.stringify([metric, labels]), handle);
    };
    const add = (metric: MetricName<"counter">, labels: Reading["labels"], amount: number): void =>
      recorder.counter(metric, labels as MetricLabels<typeof metric>).add(amount);
    const { labels } = reading;
    const key = JSON.stringify(labels);
    if (reading.type === "level") set(reading.metric, labels, reading.value);
    else if (reading.type === "count") {
      add(reading.metric, labels, this.#totals.added(`${reading.metric} ${key}`, reading.total) ?? 0);
    } else {
      const count = this.#totals.added(`count ${key}`, reading.count);
      const seconds = this.#totals.added(`seconds ${key}`, reading.seconds);
      if (count === null || seconds === null || count === 0) return;
      add("stashlight_commits_total", labels, count);
      add("stashlight_commit_seconds_total", labels, seconds);
      set("stashlight_commit_mean_seconds", labels, seconds / count);
    }
  }

  /** Logs each state once rather than on every request. */
  #tell(failures: readonly ScrapeError[], left: readonly string[]): void {
    const { source, recorder, logger } = this.#options;
    const labels = { source: source.name };
    recorder.gauge("stashlight_scrape_answering", labels).set(failures.length === 0 ? 1 : 0);
    for (const { reason } of failures) {
      recorder.counter("stashlight_scrapes_failed_total", { ...labels, reason }).add();
    }
    const reasons = failures.map(({ message }) => message);
    const state = JSON.stringify([reasons, left]);
    if (state === this.#told) return;
    this.#told = state;
    if (left.length > 0) logger.warn({ source: source.name, left }, "a store's drives are left out");
    if (failures.length === 0) logger.info({ source: source.name }, "a store answers with its metrics");
    else logger.warn({ source: source.name, reasons }, "a store's metrics cannot be read");
  }
}
