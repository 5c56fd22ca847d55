/**
 * `pnpm sim [--seeds N] [--from N] [--seed N] [--faults LIST] [--all-hazards] [--trace] [--jobs J]`: runs seeds, each
 * twice, and reports which hazards they met. Exit code 1 if a promise breaks, or with --all-hazards if a hazard was
 * never met; 2 if the arguments are wrong.
 */
import { drawOptions } from "../options.ts";
import { parseSimArguments, type SimArguments } from "./arguments.ts";
import { computeCoverage } from "./coverage.ts";
import type { Examination, Finding } from "./examine.ts";
import type { Explanation } from "./explain.ts";
import { SimulationThread } from "./pool.ts";
import { formatCount, Progress } from "./progress.ts";
import { describeCoverage, describeFailure, replayCommand, summarise } from "./report.ts";
import { sweep } from "./sweep.ts";

/** Time limit for shrinking a failing run. */
const SHRINK_BUDGET_MS = 60_000;

const args = parseSimArguments(process.argv.slice(2));
if (typeof args === "string") {
  console.error(args);
  process.exitCode = 2;
} else if (!(await simulate(args))) process.exitCode = 1;

async function simulate(wanted: SimArguments): Promise<boolean> {
  const { from, seedCount, faults, isTraced } = wanted;
  if (isTraced) await printTrace(wanted);
  const startMs = performance.now();
  const progress = new Progress(process.stderr, seedCount);
  const counts = new Map<string, number>();
  let doneCount = 0;
  let eventCount = 0;
  let spentMs = 0;
  const hear = (examination: Examination) => {
    doneCount += 1;
    eventCount += examination.eventCount;
    spentMs += examination.spentMs;
    for (const [name, count] of examination.counters) counts.set(name, (counts.get(name) ?? 0) + count);
    const speed = `${formatCount((eventCount / spentMs) * 1000)} events per second per core`;
    progress.show(doneCount, `seeds from ${from} hold, ${speed}`);
  };
  const failed = await sweep(wanted, hear);
  progress.end();
  if (failed?.finding) {
    await printFailure(wanted, failed.seed, failed.finding);
    return false;
  }
  const coverage = computeCoverage(counts, faults);
  console.log(`${describeCoverage(coverage)}\n`);
  console.log(
    summarise({ seedCount, eventCount, spentMs, elapsedMs: performance.now() - startMs }, coverage),
  );
  return !wanted.mustReachAll || coverage.neverReached.length === 0;
}

async function printTrace({ from, faults }: SimArguments): Promise<void> {
  const thread = new SimulationThread({ mutantName: null });
  console.log(await thread.do({ type: "trace", options: drawOptions(from, faults) }));
  await thread.end();
}

async function printFailure({ faults }: SimArguments, seed: number, finding: Finding): Promise<void> {
  console.error(
    `Seed ${seed} breaks a promise (${finding.property}); shrinking it, for at most ${SHRINK_BUDGET_MS / 1000} s.`,
  );
  const thread = new SimulationThread({ mutantName: null });
  let explanation: Explanation;
  try {
    const options = drawOptions(seed, faults);
    explanation = await thread.do({ type: "explain", options, finding, budgetMs: SHRINK_BUDGET_MS });
  } catch (error) {
    // A failure to format the story must not hide the seed.
    console.log(`${finding.property}: ${finding.sentence}\nReplay it with: ${replayCommand(seed, faults)}`);
    throw error;
  } finally {
    await thread.end();
  }
  console.log(describeFailure(seed, faults, explanation));
}
