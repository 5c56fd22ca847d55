/**
 * First passages of a continuous-time Markov chain with few states, by the elimination of Grassmann, Taksar and Heyman
 * (1985): states are removed one after the other, and their rates are added to those of the remaining states. No step
 * subtracts, so even tiny figures keep all digits, which solving (-Q) t = 1 would lose.
 */

/** Rates per unit of time. */
export interface AbsorbingChain {
  /** `rates[i][j]` is the rate from state i to state j, both transient; the diagonal is ignored. */
  readonly rates: readonly (readonly number[])[];
  /** Rate from each state to the absorbing state. */
  readonly absorption: readonly number[];
}

/** Mean time from state 0 to absorption, in units of the chain's time; Infinity if absorption is impossible. */
export function meanAbsorptionTime({ rates, absorption }: AbsorbingChain): number {
  const exits = absorption.map((rate) => [rate]);
  const { timeShare, exitRates } = eliminateAllBut(0, rates, exits);
  const [lost = 0] = exitRates;
  return timeShare / lost;
}

/** Probability that the chain, starting from a state above 0, is absorbed before it reaches state 0. */
export function absorptionBeforeReturn({ rates, absorption }: AbsorbingChain, start: number): number {
  const others = rates.slice(1).map((row) => row.slice(1));
  const exits = rates.slice(1).map(([home = 0], at) => [absorption[at + 1] ?? 0, home]);
  const { exitRates } = eliminateAllBut(start - 1, others, exits);
  const [lost = 0, home = 0] = exitRates;
  return lost / (lost + home);
}

interface Kept {
  /** Time in all states per unit of time in the kept one. */
  readonly timeShare: number;
  /** Rates of leaving the chain from the kept state by each exit, directly or through eliminated states. */
  readonly exitRates: readonly number[];
}

function eliminateAllBut(
  kept: number,
  given: readonly (readonly number[])[],
  givenExits: readonly (readonly number[])[],
): Kept {
  const rates = given.map((row) => [...row]);
  const exits = givenExits.map((row) => [...row]);
  const times = given.map(() => 1);
  const alive = new Set(given.keys());
  for (let state = given.length - 1; state >= 0; state -= 1) {
    if (state === kept) continue;
    alive.delete(state);
    const row = rates[state] ?? [];
    const exit = exits[state] ?? [];
    let out = sum(exit);
    for (const other of alive) out += row[other] ?? 0;
    for (const from of alive) {
      const share = (rates[from]?.[state] ?? 0) / out;
      if (share === 0) continue;
      for (const to of alive) if (to !== from) add(rates[from], to, share * (row[to] ?? 0));
      for (const [by, rate] of exit.entries()) add(exits[from], by, share * rate);
      add(times, from, share * (times[state] ?? 0));
    }
  }
  return { timeShare: times[kept] ?? 0, exitRates: exits[kept] ?? [] };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function add(values: number[] | undefined, at: number, amount: number): void {
  if (values !== undefined) values[at] = (values[at] ?? 0) + amount;
}
