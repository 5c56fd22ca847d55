/**
 * Stores reports that the ingest has not accepted yet, as files in order of creation, so that measurements made while
 * the ingest was unreachable, or before this process was killed, are delivered later.
 */
import { mkdir, readdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { ProbeReport } from "@stashlight/contracts/probe/job";
import type { ReportAnswer } from "@stashlight/telemetry";

export interface OutboxOptions {
  readonly folder: string;
  /** Writes the bytes to a file with no other writer; tests use it to fill the disk. */
  readonly write?: (path: string, bytes: Uint8Array) => Promise<void>;
  /** Called with a sentence if a report could not be written and is held in memory. */
  readonly onDiskFailure?: (sentence: string) => void;
  readonly post: (report: ProbeReport) => Promise<ReportAnswer>;
  /** Called for reports that the ingest no longer accepts. */
  readonly onDropped: (report: ProbeReport, reason: string) => void;
}

export type Delivered =
  | { readonly type: "empty"; readonly isCancelled: boolean; readonly isOver: boolean }
  | { readonly type: "waiting"; readonly reason: string; readonly afterMs: number };

const NAME = /^(\d{12})\.report$/;
const REPORT_BYTES_MAX = 16_777_216;
/** Reports held in memory while the disk is full: two minutes of a run that reports once per second. */
const HELD_COUNT_MAX = 120;

const writeToFile = (path: string, bytes: Uint8Array): Promise<void> =>
  writeFile(path, bytes, { mode: 0o600 });

export class Outbox {
  readonly #options: OutboxOptions;
  /** Numbers of the existing files, in order. */
  readonly #waiting: number[];
  /** Reports that did not fit on the disk. */
  readonly #held = new Map<number, ProbeReport>();
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

  /** Writes atomically, even if killed. Reports that cannot be written wait in memory, so that a run continues. */
  async add(report: ProbeReport): Promise<void> {
    const number = this.#next++;
    const path = this.#pathOf(number);
    const partial = `${path}.partial`;
    const { write = writeToFile } = this.#options;
    try {
      await write(partial, zstdCompressSync(JSON.stringify(report)));
      await rename(partial, path);
    } catch (error) {
      await unlink(partial).catch(() => {});
      if (!this.#hold(number, report, error)) return;
    }
    this.#waiting.push(number);
  }

  /** Returns false if memory is full; the report is then lost, and logged. */
  #hold(number: number, report: ProbeReport, error: unknown): boolean {
    const code = (error as NodeJS.ErrnoException).code ?? "an unknown error";
    const why = code === "ENOSPC" ? "the disk is full" : `writing failed with ${code}`;
    if (this.#held.size >= HELD_COUNT_MAX) {
      this.#options.onDropped(report, `It could not be kept in ${this.#options.folder}: ${why}.`);
      return false;
    }
    this.#held.set(number, report);
    this.#options.onDiskFailure?.(
      `Reports cannot be kept in ${this.#options.folder}, because ${why}; they wait in memory and are lost with this process, so free space there.`,
    );
    return true;
  }

  /** Posts waiting reports, oldest first, until none is left or the ingest accepts no more for now. */
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
      if (!this.#held.delete(number)) await unlink(this.#pathOf(number));
      this.#waiting.shift();
    }
    return { type: "empty", isCancelled, isOver };
  }

  async #read(number: number): Promise<ProbeReport> {
    const held = this.#held.get(number);
    if (held !== undefined) return held;
    const packed = await readFile(this.#pathOf(number));
    const json = zstdDecompressSync(packed, { maxOutputLength: REPORT_BYTES_MAX });
    return JSON.parse(json.toString()) as ProbeReport;
  }

  #pathOf(number: number): string {
    return join(this.#options.folder, `${String(number).padStart(12, "0")}.report`);
  }
}
