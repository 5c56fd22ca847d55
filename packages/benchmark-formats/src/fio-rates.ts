/** Mean rates of fio's logs of IOPS and bandwidth. */
import type { BenchmarkOperation } from "@stashlight/contracts/sample";
import type { ImportedSummary } from "./imported-run.ts";
import { RefusedFile } from "./refusal.ts";

const KIB = 1024;

export type FioRate = "iops" | "bandwidth";

export interface FioRateLine {
  readonly operation: BenchmarkOperation;
  /** Milliseconds since the start of the job, or since the epoch with `log_unix_epoch`. */
  readonly timeMs: number;
  /**
   * Requests or KiB per second. For a single request it is 1 or that request's own speed, which is not a rate of the
   * log.
   */
  readonly amount: number;
  /** 0 in a line that holds the mean of an interval. */
  readonly sizeBytes: number;
}

interface Requests {
  readonly operation: BenchmarkOperation;
  readonly sizeBytes: number;
  count: number;
}

interface Jobs {
  lastMs: number;
  /** Sums of the lines of each job. */
  readonly of: { sum: number; lines: number }[];
}

/**
 * With one request per line: requests, or their bytes, over the time of the log. With means of intervals: the sum of
 * the jobs' means; without `per_job_logs` the jobs' lines follow each other in one file.
 */
export class FioRates {
  readonly #value: FioRate;
  readonly #requests = new Map<string, Requests>();
  readonly #jobs = new Map<BenchmarkOperation, Jobs>();
  #firstMs = Number.POSITIVE_INFINITY;
  #lastMs = 0;

  constructor(value: FioRate) {
    this.#value = value;
  }

  take({ operation, timeMs, amount, sizeBytes }: FioRateLine): void {
    if (sizeBytes > 0 && (this.#value === "bandwidth" || amount === 1)) {
      const key = `${operation} ${sizeBytes}`;
      const requests = this.#requests.get(key) ?? { operation, sizeBytes, count: 0 };
      requests.count += 1;
      this.#requests.set(key, requests);
      this.#firstMs = Math.min(this.#firstMs, timeMs);
      this.#lastMs = Math.max(this.#lastMs, timeMs);
      return;
    }
    const jobs = this.#jobs.get(operation) ?? { lastMs: Number.POSITIVE_INFINITY, of: [] };
    // Times of a job increase, so one that does not begins the next job.
    if (timeMs <= jobs.lastMs) jobs.of.push({ sum: 0, lines: 0 });
    jobs.lastMs = timeMs;
    const job = jobs.of.at(-1);
    if (job !== undefined) Object.assign(job, { sum: job.sum + amount, lines: job.lines + 1 });
    this.#jobs.set(operation, jobs);
  }

  summaries(): ImportedSummary[] {
    const isIops = this.#value === "iops";
    const toRate = (rate: number) => (isIops ? { operationsPerSecond: rate } : { bytesPerSecond: rate });
    const ofRequests = [...this.#requests.values()].map(({ operation, sizeBytes, count }) => {
      const perSecond = count / this.#seconds();
      return {
        label: fioOperation(operation),
        operation,
        sizeBytes,
        operationCount: count,
        isApproximate: false,
        ...toRate(isIops ? perSecond : perSecond * sizeBytes),
      };
    });
    const ofJobs = [...this.#jobs].map(([operation, { of }]) => {
      const rate = of.reduce((sum, job) => sum + job.sum / job.lines, 0) * (isIops ? 1 : KIB);
      return {
        label: fioOperation(operation),
        operation,
        sizeBytes: null,
        isApproximate: true,
        ...toRate(rate),
      };
    });
    return [...ofRequests, ...ofJobs];
  }

  notes(): string[] {
    const jobCount = Math.max(0, ...[...this.#jobs.values()].map(({ of }) => of.length));
    return [
      ...(this.#requests.size > 0 ? ["Each line is one request, so the rate is of lines over time."] : []),
      ...(jobCount > 1
        ? [`The file holds the lines of ${jobCount} jobs, one after the other; their rates are added up.`]
        : []),
    ];
  }

  /** Counted from the start of the job, which is time 0 unless times are clock times. */
  #seconds(): number {
    const startMs = this.#firstMs >= EPOCH_MS_MIN ? this.#firstMs : 0;
    if (this.#lastMs <= startMs) {
      throw new RefusedFile(
        "bad-value",
        "All requests of the log have the same time, so it has no rate. Run fio for longer than a millisecond.",
      );
    }
    return (this.#lastMs - startMs) / 1000;
  }
}

/** With log_unix_epoch=1 times are clock times; no job runs for thirty years. */
export const EPOCH_MS_MIN = 946_684_800_000;

const fioOperation = (operation: BenchmarkOperation): string => (operation === "READ" ? "read" : "write");
