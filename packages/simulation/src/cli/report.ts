/** Output of a set of runs: a summary, and for a failure everything needed to understand and repeat it. */
import { drawOptions, type FaultName, faultNames, type RunOptions } from "../options.ts";
import { faultArgument } from "./arguments.ts";
import type { Coverage } from "./coverage.ts";
import type { Explanation } from "./explain.ts";
import { formatCount, formatSeconds } from "./progress.ts";

export interface Totals {
  readonly seedCount: number;
  /** Events of both runs of each seed. */
  readonly eventCount: number;
  /** CPU time of all threads. */
  readonly spentMs: number;
  readonly elapsedMs: number;
}

const WIDTH = 44;

export function describeCoverage({ faults, situations }: Coverage): string {
  const cell = ([name, count]: readonly [string, number]) =>
    `${name.padEnd(WIDTH)}${formatCount(count).padStart(13)}`;
  const rowCount = Math.max(faults.length, situations.length);
  const head = `${"hazard".padEnd(WIDTH)}${"times".padStart(13)}   ${"situation".padEnd(WIDTH)}${"times".padStart(13)}`;
  const rows = Array.from({ length: rowCount }, (_, i) => {
    const [left, right] = [faults[i], situations[i]];
    return `${left ? cell(left) : " ".repeat(WIDTH + 13)}   ${right ? cell(right) : ""}`.trimEnd();
  });
  return [head, ...rows].join("\n");
}

/** Formats the last line of the report. */
export function summarise({ seedCount, eventCount, spentMs, elapsedMs }: Totals, coverage: Coverage): string {
  const { neverReached } = coverage;
  const speed = formatCount((eventCount / spentMs) * 1000);
  const reach =
    neverReached.length === 0 ? "every hazard reached" : `NEVER REACHED: ${neverReached.join(", ")}`;
  return `${formatCount(seedCount)} seeds held, each run twice with equal results: ${formatCount(eventCount)} events in ${formatSeconds(elapsedMs)}, ${speed} per second per core; ${reach}`;
}

export function describeFailure(
  seed: number,
  faults: readonly FaultName[],
  { finding, options, runCount, story }: Explanation,
): string {
  const drawn = drawOptions(seed, faults);
  return [
    `Seed ${seed} breaks a promise. ${finding.property}: ${finding.sentence}`,
    `Replay it with: ${replayCommand(seed, faults)}`,
    "",
    `After ${formatCount(runCount)} smaller runs, ${describeAmounts(options)} are left; the seed draws ${describeAmounts(drawn)}.`,
    describeOptions(options),
    "",
    "What happens:",
    story,
  ].join("\n");
}

function describeAmounts({ operations, faults }: RunOptions): string {
  const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
  return `${plural(operations.length, "operation")} and ${plural(faults.length, "fault")}`;
}

export function replayCommand(seed: number, faults: readonly FaultName[]): string {
  if (faults.length === faultNames.length) return `pnpm sim --seed ${seed}`;
  return `pnpm sim --seed ${seed} --faults ${faults.map(faultArgument).join(",") || "none"}`;
}

/** Formats the run as JSON, with one operation or fault per line. */
function describeOptions(options: RunOptions): string {
  const fields = Object.entries(options).map(([name, value]) => {
    if (!Array.isArray(value) || value.length === 0)
      return `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`;
    const items = value.map((item) => `    ${JSON.stringify(item)}`).join(",\n");
    return `  ${JSON.stringify(name)}: [\n${items}\n  ]`;
  });
  return `{\n${fields.join(",\n")}\n}`;
}
