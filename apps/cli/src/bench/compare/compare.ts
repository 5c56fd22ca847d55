/** `stashlight bench compare`: compares two endpoints from the files of their runs. */
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { importFile } from "@stashlight/benchmark-formats";
import { isGateOpen } from "@stashlight/contracts/benchmark";
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { ERROR_MAX, holmAdjusted } from "@stashlight/stats";
import { UsageError } from "../../usage-error.ts";
import type { BenchCompareCommand } from "../arguments.ts";
import { type JudgedRun, judgeLoads, type LoadVerdict } from "./compare-endpoints.ts";

/** For scripts: 2 is invalid input, as everywhere. */
const compareExitCodes = { distinguishable: 0, notDistinguishable: 4, tooFewSlots: 5 } as const;

export async function compareBenches(
  { paths, endpoints, isJson }: BenchCompareCommand,
  { say, complain }: { say: (line: string) => void; complain: (line: string) => void },
): Promise<number> {
  const files = await listFilesOnce(paths, complain);
  const read = await Promise.all(files.map(readRun));
  for (const { remark } of read) if (remark !== null) complain(remark);
  const runs = read.flatMap((each) => each.runs);
  const names = chooseEndpoints(runs, endpoints);
  const verdicts = judgeLoads(runs, names);
  if (verdicts.length === 0) throw new UsageError(explainNoPair(runs, names));
  if (isJson)
    say(
      JSON.stringify({ format: "stashlight-bench-verdict", version: 1, endpoints: names, verdicts }, null, 2),
    );
  else for (const { sentence } of verdicts) say(sentence);
  return findExitCode(verdicts);
}

function explainNoPair(runs: readonly JudgedRun[], names: readonly [string, string]): string {
  const counts = names.map((name) => {
    const own = runs.filter(({ endpoint }) => endpoint === name);
    const ok = own.filter(
      ({ hasFailed, samples }) => !hasFailed && samples.some(({ outcome }) => outcome === "ok"),
    );
    return { name, runCount: own.length, okCount: ok.length };
  });
  const what = `"${names[0]}" and "${names[1]}" share no slot of the same load in which both succeeded`;
  if (counts.every(({ okCount }) => okCount > 0)) return `${what}; measure both in one bench run.`;
  const rates = counts.map(({ name, runCount, okCount }) => `${name} in ${okCount} of ${runCount} runs`);
  return `${what}: a request succeeded at ${rates.join(", and at ")}.`;
}

/**
 * A distinguishable load decides; without one, any judged load does. Every load is a chance of error, so the p-values
 * of all loads are corrected together, like those of a table.
 */
function findExitCode(verdicts: readonly Pick<LoadVerdict, "verdict" | "slots" | "pValue">[]): number {
  // A verdict on success rates needs no open gate, because it also counts runs without a time to compare.
  const judged = verdicts.filter(
    ({ slots, verdict }) => isGateOpen(slots) || verdict.kind === "unequal success",
  );
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
  const entries = await refuseUnreadable(path, async () =>
    (await stat(path)).isDirectory() ? await readdir(path) : null,
  );
  if (entries === null) return [path];
  const names = entries.filter((name) => name.endsWith(".json")).sort();
  if (names.length === 0) throw new UsageError(`${path} has no files that bench run --output wrote.`);
  return names.map((name) => join(path, name));
}

/** Lists each file once, even if it is given twice, directly or by its folder. */
async function listFilesOnce(paths: readonly string[], complain: (line: string) => void): Promise<string[]> {
  const files = new Map<string, string>();
  let repeatedCount = 0;
  for (const file of (await Promise.all(paths.map(listFiles))).flat()) {
    const place = await refuseUnreadable(file, () => realpath(file));
    if (files.has(place)) repeatedCount += 1;
    else files.set(place, file);
  }
  if (repeatedCount > 0)
    complain(
      `${repeatedCount} ${repeatedCount === 1 ? "file is" : "files are"} given more than once, and read once.`,
    );
  return [...files.values()];
}

async function refuseUnreadable<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new UsageError(`${path} cannot be read (${code}).`);
  }
}

interface ReadRun {
  readonly runs: readonly JudgedRun[];
  /** Explains the treatment of a run that did not succeed. */
  readonly remark: string | null;
}

async function readRun(path: string): Promise<ReadRun> {
  const samples: BenchmarkSample[] = [];
  const bytes = await refuseUnreadable(path, () => readFile(path));
  const result = await importFile(
    { name: path, bytes, mayBeEmpty: true },
    { take: (sample) => samples.push(sample) },
  );
  if (!result.ok) throw new UsageError(`${path}: ${result.refusal.message}`);
  const { format, details, connectionCounts } = result.run;
  if (format !== "stashlight-json" || connectionCounts.length === 0) {
    throw new UsageError(
      `${path} does not contain its number of connections; give files written by bench run --output, or the console's export as JSON.`,
    );
  }
  const { state = "succeeded", method = "", parameters = "" } = details;
  const isKnown = state === "succeeded" || state === "failed";
  if (!isKnown) return { runs: [], remark: `${path} is left out: its run is ${state}.` };
  const hasFailed = state === "failed";
  requireLegs(path, samples, connectionCounts.length);
  const common = { source: path, method: `${method} ${parameters}`, connectionCounts, hasFailed };
  const runs = groupRuns(path, samples, details).map((run): JudgedRun => ({ ...common, ...run }));
  const remark = `${path}: its run failed as a whole, and counts as one in which nothing succeeded.`;
  return { runs, remark: hasFailed ? remark : null };
}

/** Samples by endpoint and slot; a run that failed before its first sample has the slot in its details. */
function groupRuns(
  path: string,
  samples: readonly BenchmarkSample[],
  details: Readonly<Record<string, string>>,
): Pick<JudgedRun, "endpoint" | "slotMs" | "samples">[] {
  const inDetails = { endpoint: details.endpoint, slotMs: readSlot(details.slotMs) };
  const named = samples.map((sample) => ({
    sample,
    endpoint: sample.endpoint ?? inDetails.endpoint,
    slotMs: sample.slotMs ?? inDetails.slotMs,
  }));
  const groups = [
    ...Map.groupBy(named, ({ endpoint, slotMs }) => JSON.stringify([endpoint, slotMs])).values(),
  ];
  const runs = groups.length === 0 ? [{ ...inDetails, samples: [] }] : groups.map(joinGroup);
  return runs.map(({ endpoint, slotMs, samples: ofRun }) => {
    if (endpoint === undefined || slotMs === undefined) {
      throw new UsageError(
        `${path} does not state ${endpoint === undefined ? "which endpoint was measured" : "in which slot it was measured, so it cannot be paired"}; give files written by bench run --output, or the console's export as JSON.`,
      );
    }
    return { endpoint, slotMs, samples: ofRun };
  });
}

function joinGroup(
  group: readonly { sample: BenchmarkSample; endpoint: string | undefined; slotMs: number | undefined }[],
) {
  const [first] = group;
  return { endpoint: first?.endpoint, slotMs: first?.slotMs, samples: group.map(({ sample }) => sample) };
}

/** Latest time that a date can hold. */
const INSTANT_MS_MAX = 8.64e15;

function readSlot(text: string | undefined): number | undefined {
  const slotMs = Number(text);
  return text !== undefined && slotMs > 0 && slotMs <= INSTANT_MS_MAX ? slotMs : undefined;
}

function requireLegs(path: string, samples: readonly BenchmarkSample[], legCount: number): void {
  const stray = samples.find(({ leg = 0, operation }) => operation !== "TCP_CONNECT" && leg >= legCount);
  if (stray !== undefined) {
    throw new UsageError(
      `${path} has a sample of leg ${stray.leg}, but lists the connections of only ${legCount} ${legCount === 1 ? "leg" : "legs"}; leave the file out.`,
    );
  }
}
