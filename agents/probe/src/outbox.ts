/**
 * Reports that the ingest has not taken yet, as files in the order in which they were made. What was measured while the
 * ingest was away, or before this process was killed, is delivered when it can be.
 */
import { mkdir, readdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { ProbeReport } from "@stashlight/contracts/probe/job";
import type { ReportAnswer } from "@stashlight/telemetry";

export interface OutboxOptions {
  readonly folder: string;
  readonly post: (report: ProbeReport) => Promise<ReportAnswer>;
  /** Hears of reports that nobody wants any more. */
  readonly onDropped: (report: ProbeReport, reason: string) => void;
}

export type Delivered =
  | { readonly type: "empty"; readonly isCancelled: boolean; readonly isOver: boolean }
  | { readonly type: "waiting"; readonly reason: string; readonly afterMs: number };

const NAME = /^(\d{12})\.report$/;
const REPORT_BYTES_MAX = 16_777_216;

export class Outbox {
  readonly #options: OutboxOptions;
  /** Numbers of the files that are there, in order. */
  readonly #waiting: number[];
  #next: number;

  private constructor(options: OutboxOptions, waiting: number[]) {
    this.#options = options;
    this.#waiting = waiting;
    this.#next = (waiting.at(-1) ?? 0) + 1;
  }

  static async open(options: OutboxOptions): Promise<Outbox> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const names = await readdir(options.folder);
    const numbers = names.flatMap((name) => {
      const number = NAME.exec(name)?.[1];
      return number === undefined ? [] : [Number(number)];
    });
    return new Outbox(
      options,
      numbers.sort((a, b) => a - b),
    );
  }

  get count(): number {
    return this.#waiting.length;
  }

  /** Whole or not there, also after a kill. */
  async add(report: ProbeReport): Promise<void> {
    const number = this.#next++;
    const path = this.#pathOf(number);
    const partial = `${path}.partial`;
    await writeFile(partial, zstdCompressSync(JSON.stringify(report)), { mode: 0o600 });
    await rename(partial, path);
    this.#waiting.push(number);
  }

  /** Posts what waits, oldest first, until nothing is left or the ingest takes no more for now. */
  async deliver(): Promise<Delivered> {
    let isCancelled = false;
    let isOver = false;
    for (let number = this.#waiting[0]; number !== undefined; number = this.#waiting[0]) {
      const report = await this.#read(number);
      const answer = await this.#options.post(report);
      if (answer.type === "again" || answer.type === "unreachable") {
        return { type: "waiting", reason: answer.reason, afterMs: answer.afterMs };
      }
      if (answer.type === "recorded") isCancelled ||= answer.isCancelled;
      else {
        isOver ||= answer.type === "over";
        this.#options.onDropped(report, answer.reason);
      }
      await unlink(this.#pathOf(number));
      this.#waiting.shift();
    }
    return { type: "empty", isCancelled, isOver };
  }

  async #read(number: number): Promise<ProbeReport> {
    const packed = await readFile(this.#pathOf(number));
    const json = zstdDecompressSync(packed, { maxOutputLength: REPORT_BYTES_MAX });
    return JSON.parse(json.toString()) as ProbeReport;
  }

  #pathOf(number: number): string {
    return join(this.#options.folder, `${String(number).padStart(12, "0")}.report`);
  }
}
