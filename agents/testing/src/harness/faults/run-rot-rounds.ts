/** Runs rounds of bit rot, and adds up the findings. */
import { type Findings, NO_FINDINGS } from "./audit.ts";
import type { RotRound } from "./draw-rot-round.ts";
import type { RotDrill, RotOutcome } from "./rot-drill.ts";

export interface RotResult {
  readonly rounds: readonly (RotOutcome & { readonly round: RotRound })[];
  readonly findings: Findings;
  readonly complaints: readonly string[];
}

/** Every object is compared after each tenth round and at the end. */
const AUDIT_EVERY = 10;

export async function runRotRounds(
  drill: RotDrill,
  rounds: readonly RotRound[],
  observe: (round: RotRound, outcome: RotOutcome) => void,
): Promise<RotResult> {
  const outcomes: (RotOutcome & { readonly round: RotRound })[] = [];
  const findings: Findings = { lost: [], wrong: [], nonExistent: [], bucketsLost: [] };
  const complaints: string[] = [];
  for (const [at, round] of rounds.entries()) {
    const outcome = await drill.run(round);
    outcomes.push({ ...outcome, round });
    complaints.push(...outcome.complaints.map((each) => `round ${round.number}: ${each}`));
    observe(round, outcome);
    if (at % AUDIT_EVERY !== AUDIT_EVERY - 1 && at !== rounds.length - 1) continue;
    const found = await drill.audit();
    for (const kind of Object.keys(NO_FINDINGS) as (keyof Findings)[]) findings[kind].push(...found[kind]);
  }
  return { rounds: outcomes, findings, complaints };
}

/** Lines of a table, each with a figure and its label. */
export function renderRot({ rounds, findings, complaints }: RotResult): string[] {
  const count = (isCounted: (outcome: RotResult["rounds"][number]) => boolean) =>
    rounds.filter(isCounted).length;
  const sum = (value: (outcome: RotOutcome) => number) => rounds.reduce((all, each) => all + value(each), 0);
  const struckCounts = [...new Set(rounds.map(({ struckCount }) => struckCount))].sort((a, b) => a - b);
  const seconds = (all: readonly number[]): string =>
    all.length === 0 ? "none" : `${(Math.max(...all) / 1000).toFixed(1)} s`;
  const rows: readonly (readonly [string, number | string])[] = [
    ["rounds", rounds.length],
    ...struckCounts.map((shards): [string, number] => [
      `rounds with ${shards} shards`,
      count(({ struckCount }) => struckCount === shards),
    ]),
    ["rounds with a shard of the stash", count(({ round }) => round.isOnStash)],
    ["rounds with kill -9 during the scrub", count(({ round }) => round.isKilled)],
    [
      "rounds without a client's read before the repair",
      count(({ round, isLost }) => !round.hasReaders && !isLost),
    ],
    ["shards that rotted", sum(({ struckCount }) => struckCount)],
    ["shards found by the one scrub", sum(({ detectedCount }) => detectedCount)],
    ["shards that could be repaired", sum(({ struckCount, isLost }) => (isLost ? 0 : struckCount))],
    ["shards repaired", sum(({ repairedCount }) => repairedCount)],
    ["objects named as lost while m + 1 shards were rotten", count(({ isLost }) => isLost)],
    ["objects lost otherwise", findings.lost.length],
    ["objects with wrong bytes", findings.wrong.length],
    ["objects reported as non-existent", findings.nonExistent.length + findings.bucketsLost.length],
    ["answers that clients must not get", complaints.length],
    ["longest scrub of all drives", seconds(rounds.map(({ scrubMs }) => scrubMs))],
    [
      "longest time from the flip to the repair",
      seconds(rounds.flatMap(({ repairMs }) => (repairMs === null ? [] : [repairMs]))),
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}
