/** Tallies millions of uploads in bounded memory. */
import type { Counted, RecordSink } from "./sink.ts";

const MINUTE_MS = 60_000;
const MINUTES_AN_HOUR = 60;
/** Limit on hours with uploads, eleven years: about 35 MB. */
const HOURS_MAX = 100_000;
/** 2^47 bytes is more than any store accepts at once. */
const OCTAVES = 48;
const EXAMPLES_MAX = 5;
/** Limit on reasons. They are sentences of the formats, so there are few, but every map has a bound. */
const REASONS_MAX = 50;

export interface MalformedLine {
  readonly file: string;
  /** Line number from 1; in a JSON document, the number of the entry. */
  readonly line: number;
  readonly message: string;
}

export class LoadTally implements RecordSink {
  readonly smallBytesMax: number;
  /** Current file. */
  fileName = "";
  lineNumber = 0;
  lineCount = 0;
  smallCount = 0;
  smallBytes = 0;
  largeCount = 0;
  largeBytes = 0;
  listedCount = 0;
  /** Small uploads without a time, or in more hours than are kept. */
  untimedCount = 0;
  malformedCount = 0;
  readonly malformedExamples: MalformedLine[] = [];
  readonly passedOver = new Map<string, number>();
  /** Small uploads by size class, in powers of two. */
  readonly octaveCounts = new Float64Array(OCTAVES);
  readonly octaveBytes = new Float64Array(OCTAVES);
  /** Small uploads per minute: one array per hour, by hours since 1970. */
  readonly hours = new Map<number, Uint32Array>();
  /** Minutes that the log covers: those of all uploads with a time, small and large. */
  firstMinute = Number.POSITIVE_INFINITY;
  lastMinute = Number.NEGATIVE_INFINITY;
  #hour = Number.NaN;
  #minutes: Uint32Array | null = null;

  constructor(smallBytesMax: number) {
    this.smallBytesMax = smallBytesMax;
  }

  upload(atMs: number | null, bytes: number): Counted {
    const minute = atMs === null ? null : Math.floor(atMs / MINUTE_MS);
    if (minute !== null) {
      if (minute < this.firstMinute) this.firstMinute = minute;
      if (minute > this.lastMinute) this.lastMinute = minute;
    }
    if (bytes > this.smallBytesMax) {
      this.largeCount += 1;
      this.largeBytes += bytes;
      return "counted";
    }
    this.smallCount += 1;
    this.smallBytes += bytes;
    const octave = bytes < 2 ? 0 : Math.min(OCTAVES - 1, Math.floor(Math.log2(bytes)));
    this.octaveCounts[octave] = (this.octaveCounts[octave] ?? 0) + 1;
    this.octaveBytes[octave] = (this.octaveBytes[octave] ?? 0) + bytes;
    if (minute === null) this.untimedCount += 1;
    else this.#countMinute(minute);
    return "counted";
  }

  listed(atMs: number | null, bytes: number): Counted {
    this.listedCount += 1;
    return this.upload(atMs, bytes);
  }

  passOver(reason: string): Counted {
    const known = this.passedOver.get(reason);
    if (known !== undefined || this.passedOver.size < REASONS_MAX)
      this.passedOver.set(reason, (known ?? 0) + 1);
    return "counted";
  }

  malformed(message: string): Counted {
    this.malformedCount += 1;
    if (this.malformedExamples.length < EXAMPLES_MAX)
      this.malformedExamples.push({ file: this.fileName, line: this.lineNumber, message });
    return "counted";
  }

  #countMinute(minute: number): void {
    const hour = Math.floor(minute / MINUTES_AN_HOUR);
    if (hour !== this.#hour || this.#minutes === null) {
      const known = this.hours.get(hour);
      if (known === undefined && this.hours.size >= HOURS_MAX) {
        this.untimedCount += 1;
        return;
      }
      this.#minutes = known ?? new Uint32Array(MINUTES_AN_HOUR);
      this.#hour = hour;
      this.hours.set(hour, this.#minutes);
    }
    const inHour = minute - hour * MINUTES_AN_HOUR;
    this.#minutes[inHour] = (this.#minutes[inHour] ?? 0) + 1;
  }
}
