/** `stashlight bench compare`: the verdict on two endpoints by files of their runs. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { importFile } from "@stashlight/benchmark/formats";
import { isGateOpen } from "@stashlight/contracts/benchmark/gate";
import type { BenchmarkSample } from "@stashlight/contracts/benchmark/sample";
import { ERROR_MAX, holmAdjusted } from "@stashlight/stats";
import type { BenchCompareCommand } from "../../commands.ts";
import { UsageError } from "../../usage-error.ts";
import { type JudgedRun, judgeLoads, type LoadVerdict } from "./judge.ts";

/** For scripts: 2 is wrong input, as everywhere. */
const compareExitCodes = { distinguishable: 0, notDistinguishable: 4, tooFewSlots: 5 } as const;

export async function compareBenches(
  { paths, endpoints, isJson }: BenchCompareCommand,
  { say, complain }: { say: (line: string) => void; complain: (line: string) => void },
): Promise<number> {
  const files = (await Promise.all(paths.map(listFiles))).flat();
  const read = await Promise.all(files.map(readRun));
  for (const { unfinished } of read) if (unfinished !== null) complain(unfinished);
  const runs = read.flatMap((each) => each.runs);
  const names = chooseEndpoints(runs, endpoints);
  const verdicts = judgeLoads(runs, names);
  if (verdicts.length === 0) {
    throw new UsageError(
      `"${names[0]}" and "${names[1]}" share no slot of one load in which both succeeded; measure both in one bench run.`,
    );
  }
  if (isJson)
    say(
      JSON.stringify({ format: "stashlight-bench-verdict", version: 1, endpoints: names, verdicts }, null, 2),
    );
  else for (const { sentence } of verdicts) say(sentence);
  return findExitCode(verdicts);
}

/**
 * A load that is distinguishable decides, then one that was judged. Every load is a chance to be wrong, so the p-values of
 * all of them are corrected together, as those of a table are.
 */
function findExitCode(verdicts: readonly Pick<LoadVerdict, "verdict" | "slots" | "pValue">[]): number {
  const judged = verdicts.filter(({ slots }) => isGateOpen(slots));
  if (judged.length === 0) return compareExitCodes.tooFewSlots;
  const corrected = holmAdjusted(judged.map(({ pValue }) => pValue ?? 1));
  return judged.some(({ verdict }, i) => isDistinguishable(verdict, corrected[i] ?? 1))
    ? compareExitCodes.distinguishable
    : compareExitCodes.notDistinguishable;
}

function isDistinguishable(verdict: LoadVerdict["verdict"], correctedPValue: number): boolean {
  if (verdict.kind === "unequal success") return verdict.better !== null;
  return verdict.kind === "faster" && correctedPValue < ERROR_MAX;
}

function chooseEndpoints(runs: readonly JudgedRun[], asked: readonly string[]): readonly [string, string] {
  const found = [...new Set(runs.map(({ endpoint }) => endpoint))].sort();
  const [a, b, ...more] = asked.length > 0 ? asked : found;
  const missing = asked.find((name) => !found.includes(name));
  if (missing !== undefined)
    throw new UsageError(`No run of "${missing}" is in the files; they have ${found.join(", ") || "none"}.`);
  if (a === undefined || b === undefined || a === b || more.length > 0) {
    throw new UsageError(
      `Two endpoints are compared, and the files have ${found.length === 0 ? "no finished run" : found.join(", ")}; choose with --endpoint NAME --endpoint NAME.`,
    );
  }
  return [a, b];
}

async function listFiles(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = (await readdir(path)).filter((name) => name.endsWith(".json")).sort();
    if (names.length === 0) throw new UsageError(`${path} has no files that bench run --output wrote.`);
    return names.map((name) => join(path, name));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"}).`,
    );
  }
}

interface ReadRun {
  readonly runs: readonly JudgedRun[];
  /** A sentence for a run that did not succeed, which is left out. */
  readonly unfinished: string | null;
}

async function readRun(path: string): Promise<ReadRun> {
  const samples: BenchmarkSample[] = [];
  const bytes = await readFile(path);
  const result = await importFile({ name: path, bytes }, { take: (sample) => samples.push(sample) });
  if (!result.ok) throw new UsageError(`${path}: ${result.refusal.message}`);
  const { format, details, connectionCounts } = result.run;
  if (format !== "stashlight-json" || connectionCounts.length === 0) {
    throw new UsageError(
      `${path} does not say over how many connections it was measured; give files of bench run --output, or the console's export as JSON.`,
    );
  }
  const { state = "succeeded", method = "", parameters = "" } = details;
  if (state !== "succeeded") return { runs: [], unfinished: `${path} is left out: its run is ${state}.` };
  const groups = Map.groupBy(samples, ({ endpoint = "", slotMs = 0 }) => JSON.stringify([endpoint, slotMs]));
  const runs = [...groups.values()].map((group): JudgedRun => {
    const { endpoint = details.endpoint ?? "", slotMs = 0 } = group[0] as BenchmarkSample;
    return { endpoint, slotMs, method: `${method} ${parameters}`, connectionCounts, samples: group };
  });
  return { runs, unfinished: null };
}
