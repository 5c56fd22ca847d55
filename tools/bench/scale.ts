/**
 * A pod's index by the number of its entries: memory, start, puts, gets and lists of the pure machine, with entries at
 * rest as objects of the heap and packed outside of it. Each cell is a process of its own. Rates are of CPU time.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Measurement } from "./measurement.ts";
import type { BenchOptions } from "./options.ts";
import { median } from "./rounds.ts";
import type { IndexFigures, IndexForm } from "./scale-index.ts";
import { benchVaultScale } from "./vault/scale.ts";

const counts = [10_000, 100_000, 1_000_000];
const rounds = 3;
/** Entries as objects of a million uploads, and those read at startup, fit into this heap. */
const heapMib = 6000;

export async function benchScale(
  say: (line: string) => void,
  { isVault, isOfPods }: BenchOptions,
): Promise<Measurement[]> {
  if (isVault === true || isOfPods === true) {
    return await benchVaultScale(say, { isOfPods: isOfPods === true });
  }
  say(`A pod's index with ${counts.join(", ")} entries, ${rounds} rounds of each form, alternately.`);
  const measurements: Measurement[] = [];
  for (const count of counts) {
    const found: Record<IndexForm, IndexFigures[]> = { objects: [], packed: [] };
    for (let round = 0; round < rounds; round += 1) {
      for (const form of ["objects", "packed"] as const) found[form].push(measure(form, count));
    }
    const [objects, packed] = [medians(found.objects), medians(found.packed)];
    say(`${count} entries as objects: ${JSON.stringify(objects)}`);
    say(`${count} entries packed:     ${JSON.stringify(packed)}`);
    measurements.push(...compare(count, objects, packed));
  }
  return measurements;
}

function measure(form: IndexForm, count: number): IndexFigures {
  const script = join(import.meta.dirname, "scale-index.ts");
  const flags = ["--expose-gc", `--max-old-space-size=${heapMib}`];
  const output = execFileSync(process.execPath, [...flags, script, form, String(count)], {
    encoding: "utf8",
  });
  return JSON.parse(output) as IndexFigures;
}

function medians(all: readonly IndexFigures[]): IndexFigures {
  const names = Object.keys(all[0] as IndexFigures) as (keyof IndexFigures)[];
  const middle = names.map((name) => [name, median(all.map((figures) => figures[name]))]);
  return Object.fromEntries(middle) as IndexFigures;
}

function compare(count: number, objects: IndexFigures, packed: IndexFigures): Measurement[] {
  const row = (name: string, figure: keyof IndexFigures, unit: Measurement["unit"]): Measurement => {
    const against = { name: "as objects", value: objects[figure] };
    return { name: `${name}, ${count} entries`, value: packed[figure], unit, against };
  };
  return [
    row("heap an entry", "heapBytes", "B"),
    row("all memory an entry", "allBytes", "B"),
    row("CPU of a start", "startMs", "ms"),
    {
      ...row("CPU of settling after it", "restMs", "ms"),
      against: { name: "the start", value: packed.startMs },
    },
    row("puts a CPU second", "putsPerSecond", "1/s"),
    row("gets a CPU second", "getsPerSecond", "1/s"),
    row("first list of 1,000 keys", "firstListMs", "ms"),
    row("list of 1,000 keys, p50", "listMs", "ms"),
    row("list of 1,000 common prefixes, p50", "groupedListMs", "ms"),
  ];
}
