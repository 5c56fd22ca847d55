/** Validates a demand once, at the edge, so that the simulation meets neither NaN nor a year in nanosecond steps. */
import type { DemandStep } from "./serve.ts";
import { formatCount } from "./volume.ts";

export interface DemandProblem {
  readonly field: keyof DemandStep;
  readonly message: string;
}

const SECONDS_MAX = 31_536_000;
const IOPS_MAX = 10_000_000;
const KIB_MAX = 65_536;
/** A week in minutes. The limit is low because results follow each keystroke. */
const DEMAND_STEPS_MAX = 10_000;

/** Returns the first problem of each field. */
export function checkStep({ seconds, iops, kib, readShare }: DemandStep): DemandProblem[] {
  const problems: DemandProblem[] = [];
  const must = (field: keyof DemandStep, holds: boolean, message: string) => {
    if (!holds) problems.push({ field, message });
  };
  must("seconds", seconds >= 0.001 && seconds <= SECONDS_MAX, "A step lasts 0.001 s to a year.");
  must("iops", iops >= 0 && iops <= IOPS_MAX, `A demand must be from 0 to ${formatCount(IOPS_MAX)} IOPS.`);
  must("kib", kib >= 0.5 && kib <= KIB_MAX, `An I/O must have 0.5 to ${formatCount(KIB_MAX)} KiB.`);
  must("readShare", readShare >= 0 && readShare <= 1, "The share of reads must be from 0 to 100 %.");
  return problems;
}

export interface LineProblem {
  /** Line number from 1. */
  readonly line: number;
  readonly message: string;
}

export interface ParsedTrace {
  readonly steps: readonly DemandStep[];
  readonly problems: readonly LineProblem[];
}

const PROBLEMS_MAX = 5;

/**
 * Parses lines of `seconds, IOPS, KiB per I/O, % of reads`, separated by comma, semicolon or tab; the last two default
 * to `fallback`. A first line of words is a heading; empty lines and lines that begin with # are skipped.
 */
export function parseTrace(text: string, fallback: Pick<DemandStep, "kib" | "readShare">): ParsedTrace {
  const steps: DemandStep[] = [];
  const problems: LineProblem[] = [];
  const lines = text.split(/\r\n|\n|\r/);
  let isFirst = true;
  for (const [index, raw] of lines.entries()) {
    const content = raw.trim();
    if (content === "" || content.startsWith("#")) continue;
    const cells = content.split(/\s*[,;\t]\s*/);
    const isHeading = isFirst && !/^[-+.\d]/.test(content);
    isFirst = false;
    if (isHeading) continue;
    const told = readLine(cells, fallback);
    if (typeof told === "string") problems.push({ line: index + 1, message: told });
    else steps.push(told);
    if (problems.length >= PROBLEMS_MAX) break;
    if (steps.length > DEMAND_STEPS_MAX) {
      problems.push({
        line: index + 1,
        message: `A trace can have at most ${formatCount(DEMAND_STEPS_MAX)} steps.`,
      });
      break;
    }
  }
  if (steps.length === 0 && problems.length === 0) {
    problems.push({ line: 1, message: "The trace is empty: enter a line such as 600, 3000, 4, 80." });
  }
  return { steps, problems };
}

function readLine(
  cells: readonly string[],
  fallback: Pick<DemandStep, "kib" | "readShare">,
): DemandStep | string {
  if (cells.length < 2 || cells.length > 4) {
    return `A line has two to four figures (seconds, IOPS, KiB, % of reads), not ${cells.length}.`;
  }
  const strange = cells.find((cell) => cell === "" || !Number.isFinite(Number(cell)));
  if (strange !== undefined) return `“${strange}” is not a number.`;
  const [seconds = 0, iops = 0, kib = fallback.kib, percent = fallback.readShare * 100] = cells.map(Number);
  const step = { seconds, iops, kib, readShare: percent / 100 };
  return checkStep(step)[0]?.message ?? step;
}
