/**
 * Alternates between two running vaults on one machine, with one client that loads one or the other. Each round has a
 * turn of both for each case, and the order changes from round to round, because machines drift. A ratio compares two
 * turns of one round. The median of the ratios is between the lowest and the highest of six in 97 % of such runs, for
 * any distribution of the ratios.
 */
import type { Measurement } from "../measurement.ts";
import { median } from "../rounds.ts";
import type { ClientResult } from "./client.ts";
import type { HostedVault } from "./hosted-vault.ts";
import { type Load, runClient } from "./run-client.ts";

export const ROUNDS = 6;
const SECONDS = 5;
/** Share of the first vault's maximum throughput at which both get the same rate. */
const OFFERED_SHARE = 0.6;

export interface Case extends Omit<Load, "seconds" | "rate"> {
  readonly name: string;
  /** True to send requests at a share of the first vault's throughput in the previous case. */
  readonly isOffered?: boolean;
}

/** Measures of one turn; less is better except for operations per second. */
const figures = {
  "per second": { unit: "1/s", of: ({ client }: Turn) => client.perSecond },
  p50: { unit: "ms", of: ({ client }: Turn) => client.p50Ms },
  p99: { unit: "ms", of: ({ client }: Turn) => client.p99Ms },
  processor: { unit: "us", of: ({ cpuUs }: Turn) => cpuUs },
} as const;

interface Turn {
  readonly client: ClientResult;
  /** CPU time of all agents, per operation. */
  readonly cpuUs: number;
}

interface Pair {
  readonly before: Turn;
  readonly now: Turn;
}

export type PrintLine = (line: string) => void;

/** `before` is the baseline for `now`. Throws an Error if an operation failed for a reason other than overload. */
export async function measureRounds(
  { before, now }: { readonly before: HostedVault; readonly now: HostedVault },
  cases: readonly Case[],
  say: PrintLine,
): Promise<Map<string, Pair[]>> {
  const pairs = new Map<string, Pair[]>(cases.map(({ name }) => [name, []]));
  let offered = 0;
  // The first round warms up the code of later ones, and determines the first vault's throughput.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const each of cases) {
      const rate = each.isOffered === true ? offered * OFFERED_SHARE : undefined;
      const playTurn = (vault: HostedVault) => play(vault, each, rate);
      const isBeforeFirst = round % 2 === 0;
      const first = await playTurn(isBeforeFirst ? before : now);
      const second = await playTurn(isBeforeFirst ? now : before);
      const pair = isBeforeFirst ? { before: first, now: second } : { before: second, now: first };
      if (each.isOffered !== true) offered = pair.before.client.perSecond;
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
  // A vault that sheds uploads it cannot store in time is slow, but not at fault.
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

export function roundMeasurements(
  pairs: ReadonlyMap<string, readonly Pair[]>,
  nameOfBefore: string,
): Measurement[] {
  return [...pairs].flatMap(([name, rounds]) =>
    Object.entries(figures).map(([figure, { unit, of }]): Measurement => {
      const ratios = rounds.map(({ before, now }) => of(now) / of(before)).sort((a, b) => a - b);
      const range = `${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)} in ${ratios.length} rounds`;
      const value = median(rounds.map(({ now }) => of(now)));
      const against = { name: `${nameOfBefore} (${range})`, value: value / median(ratios) };
      return { name: `${name}: ${figure}`, value, unit, against };
    }),
  );
}
