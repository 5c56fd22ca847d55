/** Formats the result of a soak for a terminal. */
import { quantileOfSorted } from "@stashlight/stats";
import { floorsByMinute, type MemoryFigure, type MemorySample, slopePerMinute } from "./memory-sample.ts";
import type { SoakResult } from "./soak-load.ts";

export interface ProcessMemory {
  readonly name: string;
  readonly samples: readonly MemorySample[];
}

export interface SoakReport {
  readonly seconds: number;
  readonly clientCount: number;
  readonly result: SoakResult;
  readonly memory: readonly ProcessMemory[];
  readonly space: SpaceOnPods;
}

/** Bytes on all pods together. */
export interface SpaceOnPods {
  readonly visibleBytes: number;
  readonly liveBytes: number;
  readonly garbageBytes: number;
}

const AMPLIFICATION_MAX = 1.3;
const WRONG_SHOWN_MAX = 20;

const figures: readonly (readonly [string, MemoryFigure])[] = [
  ["resident", "residentBytes"],
  ["anonymous", "anonymousBytes"],
  ["heap", "heapTotalBytes"],
  ["heap used", "heapUsedBytes"],
  ["external", "externalBytes"],
  ["buffers", "arrayBuffersBytes"],
];

export function renderSoak({ seconds, clientCount, result, memory, space }: SoakReport): string[] {
  const { durationsMs, errors, wrong } = result;
  const count = Object.values(durationsMs).reduce((sum, each) => sum + each.length, 0);
  const errorText = [...errors].map(([name, errorCount]) => `${name} ${errorCount}`).join(", ");
  return [
    `${count} requests by ${clientCount} clients in ${(seconds / 60).toFixed(1)} min, ${(count / seconds).toFixed(1)} a second.`,
    "",
    row(["ms", "count", "p50", "p99", "max"]),
    ...Object.entries(durationsMs).map(([operation, each]) => row([operation, ...latencyCells(each)])),
    "",
    `Errors: ${errorText || "none"}. Wrong answers: ${wrong.length || "none"}.`,
    ...wrong.slice(0, WRONG_SHOWN_MAX).map((each) => `  ${each}`),
    "",
    row(["MB", ...figures.map(([name]) => name)]),
    ...memory.flatMap(({ name, samples }) => [
      row([`${name}, last`, ...figures.map(([, figure]) => megabytes(samples.at(-1)?.[figure]))]),
      row([
        "a minute",
        ...figures.map(([, figure]) => megabytes(slopePerMinute(samples, figure) ?? undefined, 2)),
      ]),
      row([
        "floor, a minute",
        ...figures.map(([, figure]) =>
          megabytes(slopePerMinute(floorsByMinute(samples), figure) ?? undefined, 2),
        ),
      ]),
    ]),
    "A minute: the slope over the second half of the time. Floor: that of the least value of each minute, without garbage.",
    "",
    ...memoryByMinute(memory),
    spaceLine(space),
  ];
}

function spaceLine({ visibleBytes, liveBytes, garbageBytes }: SpaceOnPods): string {
  if (visibleBytes === 0) return "Space amplification: no objects.";
  const [live, garbage] = [liveBytes / visibleBytes, garbageBytes / visibleBytes];
  return `Space amplification: ${(live + garbage).toFixed(2)} (target ${AMPLIFICATION_MAX}): live records ${live.toFixed(2)}, garbage ${garbage.toFixed(2)}.`;
}

function latencyCells(durationsMs: readonly number[]): string[] {
  if (durationsMs.length === 0) return ["0"];
  const sorted = durationsMs.toSorted((a, b) => a - b);
  const at = (perMillion: number) => quantileOfSorted(sorted, perMillion).toFixed(1);
  return [String(sorted.length), at(500_000), at(990_000), at(1_000_000)];
}

/** Each process minute by minute. */
function memoryByMinute(memory: readonly ProcessMemory[]): string[] {
  return memory.flatMap(({ name, samples }) => {
    const byMinute = new Map(samples.map((sample) => [Math.floor(sample.seconds / 60), sample]));
    return [
      row([`${name}, minute`, ...figures.map(([title]) => title)]),
      ...[...byMinute].map(([minute, sample]) =>
        row([String(minute), ...figures.map(([, figure]) => megabytes(sample[figure]))]),
      ),
      "",
    ];
  });
}

function megabytes(bytes: number | undefined, digits = 1): string {
  return bytes === undefined ? "-" : (bytes / 1e6).toFixed(digits);
}

function row([first = "", ...rest]: readonly string[]): string {
  return first.padEnd(18) + rest.map((cell) => cell.padStart(11)).join("");
}
