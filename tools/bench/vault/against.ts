/**
 * Two commits in turns on one machine: this tree's vault and another commit's, both running, and one client that loads
 * one or the other. Each round has a turn of both for each case, and the order changes from round to round, because
 * machines drift. A ratio is of two turns of one round. The median of the ratios lies between the lowest and the highest
 * of six in 97 % of such runs, however the ratios are distributed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../run/environment.ts";
import type { Measurement } from "../measurement.ts";
import { median } from "../rounds.ts";
import { checkOut } from "./checkout.ts";
import type { ClientResult } from "./client.ts";
import { HostedVault } from "./hosted-vault.ts";
import { type Load, runClient } from "./run-client.ts";
import { benchVolumes } from "./running.ts";

const KIB = 1024;
const ROUNDS = 6;
const SECONDS = 5;
/** The share of what the other commit stores at most, at which both are asked for as much. */
const OFFERED_SHARE = 0.6;

interface Case extends Omit<Load, "seconds" | "rate"> {
  readonly name: string;
  readonly isOffered?: boolean;
}

const cases: readonly Case[] = [
  { name: "put 256 KiB x1", verb: "put", bytes: 256 * KIB, connections: 1 },
  { name: "put 256 KiB x16", verb: "put", bytes: 256 * KIB, connections: 16 },
  { name: "put 256 KiB offered", verb: "put", bytes: 256 * KIB, connections: 64, isOffered: true },
  { name: "put 1 MiB x1", verb: "put", bytes: 1024 * KIB, connections: 1 },
  { name: "put 1 MiB x16", verb: "put", bytes: 1024 * KIB, connections: 16 },
  { name: "get 256 KiB x1", verb: "get", bytes: 256 * KIB, connections: 1 },
  { name: "get 256 KiB x16", verb: "get", bytes: 256 * KIB, connections: 16 },
];

/** What one turn is judged by; less is better but for operations a second. */
const figures = {
  "a second": { unit: "1/s", of: ({ client }: Turn) => client.perSecond },
  p50: { unit: "ms", of: ({ client }: Turn) => client.p50Ms },
  p99: { unit: "ms", of: ({ client }: Turn) => client.p99Ms },
  processor: { unit: "us", of: ({ cpuUs }: Turn) => cpuUs },
} as const;

interface Turn {
  readonly client: ClientResult;
  /** Processor time of all agents, an operation. */
  readonly cpuUs: number;
}

interface Pair {
  readonly before: Turn;
  readonly now: Turn;
}

type Say = (line: string) => void;

/** Throws an Error if there is no such commit, or if an operation failed in a turn for another reason than overload. */
export async function benchAgainst(revision: string, say: Say): Promise<Measurement[]> {
  const other = await checkOut(revision);
  say(`This tree against ${other.commit.slice(0, 12)}, ${ROUNDS} rounds.`);
  const folder = mkdtempSync(join(repositoryRoot, "node_modules/.bench-against-"));
  const vaults: HostedVault[] = [];
  try {
    for (const [name, root] of [
      ["before", other.root],
      ["now", repositoryRoot],
    ] as const) {
      vaults.push(await HostedVault.start(root, join(folder, name), benchVolumes));
    }
    const [before, now] = vaults as [HostedVault, HostedVault];
    return measurementsOf(await playRounds(before, now, say));
  } finally {
    await Promise.all(vaults.map((vault) => vault.remove()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function playRounds(before: HostedVault, now: HostedVault, say: Say): Promise<Map<string, Pair[]>> {
  const pairs = new Map<string, Pair[]>(cases.map(({ name }) => [name, []]));
  let offered = 0;
  // The first round compiles what later ones run, and finds out how much the other commit stores.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const each of cases) {
      const rate = each.isOffered === true ? offered * OFFERED_SHARE : undefined;
      const turnOf = (vault: HostedVault) => play(vault, each, rate);
      const isBeforeFirst = round % 2 === 0;
      const first = await turnOf(isBeforeFirst ? before : now);
      const second = await turnOf(isBeforeFirst ? now : before);
      const pair = isBeforeFirst ? { before: first, now: second } : { before: second, now: first };
      if (each.name === "put 256 KiB x16") offered = pair.before.client.perSecond;
      if (round > 0) pairs.get(each.name)?.push(pair);
      say(`${round === 0 ? "warm-up" : `round ${round}`}, ${each.name}: ${describe(pair)}`);
    }
  }
  return pairs;
}

async function play(
  vault: HostedVault,
  { verb, bytes, connections, name }: Case,
  rate: number | undefined,
): Promise<Turn> {
  const before = await vault.cost();
  const load = { verb, bytes, connections, seconds: SECONDS };
  const client = await runClient(vault.target, rate === undefined ? load : { ...load, rate });
  const after = await vault.cost();
  // A vault that sheds what it cannot store in time is slow, but not at fault.
  const failed = Object.keys(client.errors).filter((code) => code !== "SlowDown");
  if (failed.length > 0) {
    throw new Error(`In "${name}" operations failed: ${JSON.stringify(client.errors)}.`);
  }
  return { client, cpuUs: ((after.cpuSeconds - before.cpuSeconds) * 1e6) / client.allCount };
}

function describe({ before, now }: Pair): string {
  const sheds = [now, before].map(({ client }) => client.errors.SlowDown ?? 0);
  const shed = sheds.some((count) => count > 0) ? `, shed ${sheds[0]} against ${sheds[1]}` : "";
  const told = Object.entries(figures)
    .map(([name, { of, unit }]) => `${name} ${of(now).toFixed(1)} against ${of(before).toFixed(1)} ${unit}`)
    .join(", ");
  return `${told}${shed}`;
}

function measurementsOf(pairs: ReadonlyMap<string, readonly Pair[]>): Measurement[] {
  return [...pairs].flatMap(([name, rounds]) =>
    Object.entries(figures).map(([figure, { unit, of }]): Measurement => {
      const ratios = rounds.map(({ before, now }) => of(now) / of(before)).sort((a, b) => a - b);
      const range = `${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)} in ${ratios.length} rounds`;
      const value = median(rounds.map(({ now }) => of(now)));
      const against = { name: `before (${range})`, value: value / median(ratios) };
      return { name: `${name}: ${figure}`, value, unit, against };
    }),
  );
}
