/**
 * `pnpm sim:mutants [NAME ...] [--story] [--seeds N] [--from N] [--jobs J]`: puts one mistake after another into the
 * write path and counts the seeds until the simulation notices. A mistake that goes unnoticed is a gap in the
 * simulation, and exit code 1.
 */

import { mutants } from "../mutants/all-mutants.ts";
import { control } from "../mutants/control.ts";
import type { Mutant } from "../mutants/mutant.ts";
import { type MutantArguments, parseMutantArguments } from "./arguments.ts";
import { workOff } from "./bounded-concurrency.ts";
import { hunt, huntOptions, type Verdict } from "./hunt.ts";
import { SimulationThread } from "./pool.ts";
import { formatCount, formatSeconds, Progress } from "./progress.ts";

interface MutantVerdict extends Verdict {
  readonly mutant: Mutant;
}

/** Time limit for shrinking a run that caught a mutant. */
const SHRINK_BUDGET_MS = 20_000;

const args = parseMutantArguments(
  process.argv.slice(2),
  [...mutants, control].map(({ name }) => name),
);
if (typeof args === "string") {
  console.error(args);
  process.exitCode = 2;
} else if (!(await huntAll(args))) process.exitCode = 1;

async function huntAll({ names, from, seedCount, jobs, isTold }: MutantArguments): Promise<boolean> {
  const chosen =
    names.length === 0 ? mutants : [...mutants, control].filter(({ name }) => names.includes(name));
  const startMs = performance.now();
  const progress = new Progress(process.stderr, chosen.length);
  const verdicts: MutantVerdict[] = [];
  await workOff(chosen, jobs, async (mutant) => {
    const verdict = { mutant, ...(await hunt(mutant.name, from, seedCount)) };
    verdicts.push(verdict);
    progress.end();
    console.error(`${mutant.name}: ${describeFate(verdict)}`);
    progress.show(verdicts.length, "mutants");
    return true;
  });
  progress.end();
  verdicts.sort((a, b) => chosen.indexOf(a.mutant) - chosen.indexOf(b.mutant));
  console.log(formatVerdicts(verdicts));
  if (isTold) for (const verdict of verdicts) await reportVerdict(verdict);
  const survivors = verdicts.filter(({ finding }) => finding === null);
  const spent = formatSeconds(performance.now() - startMs);
  const killedCount = verdicts.length - survivors.length;
  console.log(
    `\n${killedCount} of ${verdicts.length} mutants killed within ${formatCount(seedCount)} seeds, in ${spent}.`,
  );
  for (const { mutant } of survivors) {
    console.log(
      `SURVIVED: ${mutant.name}. Either nothing needs what it breaks, or the simulation does not look there.`,
    );
  }
  return survivors.length === 0;
}

/** Explanation of the mistake and of the promise that it breaks. */
async function reportVerdict({ mutant, finding, seed }: MutantVerdict): Promise<void> {
  if (finding === null || seed === null) return;
  const thread = new SimulationThread({ mutantName: mutant.name });
  const options = huntOptions(seed, mutant.name);
  const { story } = await thread.do({ type: "explain", options, finding, budgetMs: SHRINK_BUDGET_MS });
  await thread.end();
  console.log(`\n${mutant.name}, seed ${seed}:\n${story}`);
}

function describeFate({ finding, seedCount }: Verdict): string {
  const seeds = `${formatCount(seedCount)} seed${seedCount === 1 ? "" : "s"}`;
  return finding === null ? `alive after ${seeds}` : `killed by ${finding.property} after ${seeds}`;
}

function formatVerdicts(verdicts: readonly MutantVerdict[]): string {
  const rows = verdicts.map(({ mutant, finding, seedCount }) => [
    mutant.name,
    mutant.breaks,
    finding?.property ?? "-",
    finding === null ? "survived" : formatCount(seedCount),
  ]);
  const head = ["mutant", "what it breaks", "killed by", "seeds to kill"];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const formatRow = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 3 ? cell.padStart(widths[3] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ");
  return [head, ...rows].map(formatRow).join("\n");
}
