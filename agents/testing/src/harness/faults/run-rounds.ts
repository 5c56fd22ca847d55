/** Runs rounds of random drive faults, and adds up their effects. */
import { setTimeout as delay } from "node:timers/promises";
import type { Findings } from "./audit.ts";
import type { Round } from "./draw-round.ts";
import type { Drill } from "./drill.ts";

export interface RoundsResult {
  readonly roundsByModes: Map<string, number>;
  failedCallCount: number;
  acknowledgedCount: number;
  bucketCount: number;
  readonly findings: Findings;
  readonly complaints: string[];
  /** Time from the end of a fault until uploads, reads and lists of all buckets succeeded. */
  serviceAgainMsMax: number;
  /** Time from the end of a fault until every drive worked. */
  wellAgainMsMax: number;
}

const noRounds = (): RoundsResult => ({
  roundsByModes: new Map(),
  failedCallCount: 0,
  acknowledgedCount: 0,
  bucketCount: 0,
  findings: { lost: [], wrong: [], nonExistent: [], bucketsLost: [] },
  complaints: [],
  serviceAgainMsMax: 0,
  wellAgainMsMax: 0,
});

/** Clients run continuously, except while every object is compared. */
export async function runRounds(
  drill: Drill,
  rounds: readonly Round[],
  observe: (round: Round) => void,
): Promise<RoundsResult> {
  const result = noRounds();
  for (const round of rounds) {
    await runRound(drill, round, result);
    observe(round);
  }
  result.failedCallCount = drill.faults.failedCount;
  result.acknowledgedCount = drill.acknowledgedCount + drill.kept.objects.length;
  result.bucketCount = drill.bucketCount;
  result.complaints.push(...drill.complaints);
  return result;
}

async function runRound(drill: Drill, round: Round, result: RoundsResult): Promise<void> {
  const { modes, addresses, seconds, restart, number } = round;
  await drill.createBucket(`round-${number}`);
  drill.startClients();
  drill.strike(modes, addresses);
  if (restart === "during") await drill.restart("SIGKILL");
  await delay(seconds * 1000);
  drill.faults.clear();
  const clearedMs = performance.now();
  const since = () => performance.now() - clearedMs;
  const served = drill.served().then(since);
  const well = drill.well().then(since);
  result.serviceAgainMsMax = Math.max(result.serviceAgainMsMax, await orComplain(served, round, result));
  result.wellAgainMsMax = Math.max(result.wellAgainMsMax, await orComplain(well, round, result));
  await drill.stopClients();
  if (restart === "after") {
    await drill.restart("SIGKILL");
    await orComplain(drill.well(), round, result);
  }
  const found = await drill.audit();
  for (const kind of ["lost", "wrong", "nonExistent", "bucketsLost"] as const)
    result.findings[kind].push(...found[kind].map((finding) => `round ${number}: ${finding}`));
  const name = modes.join("+");
  result.roundsByModes.set(name, (result.roundsByModes.get(name) ?? 0) + 1);
}

/** A vault that does not recover spoils its later rounds, which run nevertheless. */
async function orComplain(doing: Promise<number>, { number }: Round, result: RoundsResult): Promise<number> {
  const startedMs = performance.now();
  try {
    return await doing;
  } catch (error) {
    result.complaints.push(`round ${number}: ${(error as Error).message}`);
    return performance.now() - startedMs;
  }
}

export function addRounds(results: readonly RoundsResult[]): RoundsResult {
  const sum = noRounds();
  for (const result of results) {
    for (const [name, count] of result.roundsByModes)
      sum.roundsByModes.set(name, (sum.roundsByModes.get(name) ?? 0) + count);
    sum.failedCallCount += result.failedCallCount;
    sum.acknowledgedCount += result.acknowledgedCount;
    sum.bucketCount += result.bucketCount;
    for (const kind of ["lost", "wrong", "nonExistent", "bucketsLost"] as const)
      sum.findings[kind].push(...result.findings[kind]);
    sum.complaints.push(...result.complaints);
    sum.serviceAgainMsMax = Math.max(sum.serviceAgainMsMax, result.serviceAgainMsMax);
    sum.wellAgainMsMax = Math.max(sum.wellAgainMsMax, result.wellAgainMsMax);
  }
  return sum;
}

/** Lines of a table, each with a figure and its label. */
export function renderRounds({ findings, ...result }: RoundsResult): string[] {
  const byModes = [...result.roundsByModes].map(([name, count]): [string, number] => [
    `rounds of ${name}`,
    count,
  ]);
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const rows: readonly (readonly [string, number | string])[] = [
    ["rounds", byModes.reduce((sum, [, count]) => sum + count, 0)],
    ...byModes,
    ["calls that failed", result.failedCallCount],
    ["writes acknowledged", result.acknowledgedCount],
    ["objects lost", findings.lost.length],
    ["objects wrong", findings.wrong.length],
    ["objects reported as non-existent", findings.nonExistent.length],
    ["buckets", result.bucketCount],
    ["buckets lost", findings.bucketsLost.length],
    ["answers that clients must not get", result.complaints.length],
    ["longest time until service after a fault", seconds(result.serviceAgainMsMax)],
    ["longest time until all drives work after a fault", seconds(result.wellAgainMsMax)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}
