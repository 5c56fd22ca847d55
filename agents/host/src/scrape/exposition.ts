/**
 * Reads Prometheus' text format (version 0.0.4) as it arrives, and keeps only the requested metrics. A program behind
 * an address may send anything, so bytes, the length of a line and the number of samples are limited.
 */
import { StringDecoder } from "node:string_decoder";
import { ScrapeError } from "./scrape-error.ts";

export interface Sample {
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

/** Keyed by metric name. */
export type Samples = ReadonlyMap<string, readonly Sample[]>;

export interface ExpositionBounds {
  readonly bytesMax: number;
  readonly lineCharsMax: number;
  readonly samplesMax: number;
  /** Ignores samples with an older timestamp. */
  readonly ageMsMax: number;
}

/** The manager of a cluster of a thousand OSDs answers with about 20 MB, and 15,000 of its samples are kept. */
export const expositionBounds: ExpositionBounds = {
  bytesMax: 33_554_432,
  lineCharsMax: 16_384,
  samplesMax: 50_000,
  ageMsMax: 300_000,
};

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;
const LABEL = /\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(?:,|(?=\}))/y;
const END_OF_LABELS = /\s*\}/y;
const VALUE = /^\s*(\S+)(?:\s+(-?\d+))?\s*$/;
const SPECIAL_VALUES: ReadonlyMap<string, number> = new Map([
  ["+Inf", Number.POSITIVE_INFINITY],
  ["Inf", Number.POSITIVE_INFINITY],
  ["-Inf", Number.NEGATIVE_INFINITY],
  ["NaN", Number.NaN],
]);

export class ExpositionReader {
  readonly #wanted: ReadonlySet<string>;
  readonly #bounds: ExpositionBounds;
  readonly #oldestMs: number;
  readonly #decoder = new StringDecoder("utf8");
  readonly #samples = new Map<string, Sample[]>();
  readonly #seen = new Set<string>();
  #rest = "";
  #bytes = 0;
  #lineCount = 0;

  constructor(wanted: ReadonlySet<string>, nowMs: number, bounds = expositionBounds) {
    this.#wanted = wanted;
    this.#bounds = bounds;
    this.#oldestMs = nowMs - bounds.ageMsMax;
  }

  /** Throws a ScrapeError at the first byte above the limit, and at an invalid line. */
  push(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const { bytesMax } = this.#bounds;
    if (this.#bytes > bytesMax) throw new ScrapeError("too-large", `It has more than ${bytesMax} bytes.`);
    const lines = (this.#rest + this.#decoder.write(chunk)).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#read(line);
    this.#bound(this.#rest);
  }

  /** A last line without a line break may be truncated, so an incomplete answer must be detected by its length. */
  end(): Samples {
    this.#read(this.#rest + this.#decoder.end());
    return this.#samples;
  }

  #bound(line: string): void {
    const { lineCharsMax } = this.#bounds;
    if (line.length <= lineCharsMax) return;
    throw new ScrapeError(
      "malformed",
      `Line ${this.#lineCount + 1} has more than ${lineCharsMax} characters.`,
    );
  }

  #read(line: string): void {
    this.#bound(line);
    this.#lineCount += 1;
    const name = NAME.exec(line)?.[0];
    if (name === undefined || !this.#wanted.has(name)) return;
    const labels = new Map<string, string>();
    const afterName = line.slice(name.length).trimStart();
    let at = line.length - afterName.length;
    if (afterName.startsWith("{")) at = this.#readLabels(line, at + 1, labels);
    const [, text = "", timestamp] = VALUE.exec(line.slice(at)) ?? this.#refuse();
    const value = SPECIAL_VALUES.get(text) ?? (text === "" ? Number.NaN : Number(text));
    if (Number.isNaN(value) && text !== "NaN") this.#refuse();
    if (!Number.isFinite(value) || Number(timestamp ?? Number.POSITIVE_INFINITY) < this.#oldestMs) return;
    this.#keep(name, { labels, value });
  }

  #readLabels(line: string, from: number, labels: Map<string, string>): number {
    let at = from;
    for (;;) {
      END_OF_LABELS.lastIndex = at;
      if (END_OF_LABELS.test(line)) return END_OF_LABELS.lastIndex;
      LABEL.lastIndex = at;
      const found = LABEL.exec(line) ?? this.#refuse();
      const [, label = "", value = ""] = found;
      labels.set(label, unescaped(value));
      at = LABEL.lastIndex;
    }
  }

  /** Keeps the first of several samples with the same name and labels. */
  #keep(name: string, sample: Sample): void {
    const key = seriesKey(name, sample.labels);
    if (this.#seen.has(key)) return;
    const { samplesMax } = this.#bounds;
    if (this.#seen.size === samplesMax) {
      throw new ScrapeError("too-large", `It has more than ${samplesMax} samples of metrics that are read.`);
    }
    this.#seen.add(key);
    const known = this.#samples.get(name);
    if (known === undefined) this.#samples.set(name, [sample]);
    else known.push(sample);
  }

  #refuse(): never {
    throw new ScrapeError("malformed", `Line ${this.#lineCount} is not a sample in Prometheus' text format.`);
  }
}

const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));

function seriesKey(name: string, labels: ReadonlyMap<string, string>): string {
  const sorted = [...labels].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([name, ...sorted]);
}

/** Merges the samples of a store's addresses; of duplicates, the first address counts. */
export function mergeSamples(answers: readonly Samples[]): Samples {
  const merged = new Map<string, Sample[]>();
  const seen = new Set<string>();
  for (const answer of answers) {
    for (const [name, samples] of answer) {
      for (const sample of samples) {
        const key = seriesKey(name, sample.labels);
        if (seen.has(key)) continue;
        seen.add(key);
        const known = merged.get(name);
        if (known === undefined) merged.set(name, [sample]);
        else known.push(sample);
      }
    }
  }
  return merged;
}
