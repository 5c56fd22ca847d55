/** Arguments of `pnpm sim` and `pnpm sim:mutants`; a string is the error message. */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { type FaultName, faultNames } from "../options.ts";

export interface SimArguments {
  readonly from: number;
  readonly seedCount: number;
  readonly faults: readonly FaultName[];
  /** Print every event of the single seed. */
  readonly isTraced: boolean;
  /** Fail if a hazard was never met. */
  readonly mustReachAll: boolean;
  readonly jobs: number;
}

export interface MutantArguments {
  /** Mutants to run; empty for all. */
  readonly names: readonly string[];
  /** Print how each mutant is caught. */
  readonly isTold: boolean;
  readonly from: number;
  readonly seedCount: number;
  readonly jobs: number;
}

const SEED_COUNT = 1000;
const MUTANT_SEED_COUNT = 2000;

class Refusal extends Error {}

export function parseSimArguments(args: readonly string[]): SimArguments | string {
  return read(() => {
    const { values } = parse(
      args,
      "pnpm sim",
      ["seeds", "from", "seed", "faults", "jobs"],
      ["trace", "all-hazards"],
    );
    const isTraced = values.trace === true;
    const mustReachAll = values["all-hazards"] === true;
    const faults = faultsIn(values.faults);
    const jobs = jobsIn(values.jobs);
    if (values.seed !== undefined) {
      for (const name of ["seeds", "from"]) {
        if (values[name] !== undefined) throw new Refusal(`--seed is one seed; leave --${name} out.`);
      }
      return {
        from: wholeNumber("--seed", values.seed, 0),
        seedCount: 1,
        faults,
        isTraced,
        mustReachAll,
        jobs,
      };
    }
    if (isTraced) throw new Refusal("--trace prints every event of one seed; name it with --seed N.");
    const from = wholeNumber("--from", values.from ?? "1", 0);
    return {
      from,
      seedCount: wholeNumber("--seeds", values.seeds ?? `${SEED_COUNT}`, 1),
      faults,
      isTraced,
      mustReachAll,
      jobs,
    };
  });
}

export function parseMutantArguments(
  args: readonly string[],
  known: readonly string[],
): MutantArguments | string {
  return read(() => {
    const { values, positionals: names } = parse(
      args,
      "pnpm sim:mutants",
      ["seeds", "from", "jobs"],
      ["story"],
      true,
    );
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined) {
      throw new Refusal(`There is no mutant "${unknown}"; choose from: ${known.join(", ")}.`);
    }
    const seedCount = wholeNumber("--seeds", values.seeds ?? `${MUTANT_SEED_COUNT}`, 1);
    const from = wholeNumber("--from", values.from ?? "1", 0);
    const isTold = values.story === true;
    if (isTold && names.length === 0)
      throw new Refusal("--story explains how mutants are caught; name at least one.");
    return { names, isTold, from, seedCount, jobs: jobsIn(values.jobs) };
  });
}

function read<T>(parseAll: () => T): T | string {
  try {
    return parseAll();
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

function parse(
  args: readonly string[],
  command: string,
  texts: readonly string[],
  flags: readonly string[],
  takesNames = false,
) {
  const options = Object.fromEntries([
    ...texts.map((name) => [name, { type: "string" }] as const),
    ...flags.map((name) => [name, { type: "boolean" }] as const),
  ]);
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const known = [...texts, ...flags];
  const stray = tokens.find((token) => token.kind === "option" && !known.includes(token.name));
  const strayText = stray?.kind === "option" ? stray.rawName : takesNames ? undefined : positionals[0];
  if (strayText !== undefined) {
    const names = known.map((name) => `--${name}`).join(", ");
    throw new Refusal(`${command} does not know "${strayText}"; its options are ${names}.`);
  }
  return { values: values as Record<string, string | boolean | undefined>, positionals };
}

function wholeNumber(name: string, given: string | boolean, least: number): number {
  const value = typeof given === "string" && /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= least) return value;
  const text = typeof given === "string" ? `"${given}"` : "nothing";
  throw new Refusal(`${name} takes a whole number of at least ${least}, not ${text}.`);
}

function jobsIn(given: string | boolean | undefined): number {
  return given === undefined ? availableParallelism() : wholeNumber("--jobs", given, 1);
}

/** On the command line, a fault's name has hyphens instead of spaces. */
export const faultArgument = (name: FaultName) => name.replaceAll(" ", "-");

function faultsIn(given: string | boolean | undefined): readonly FaultName[] {
  if (given === undefined) return faultNames;
  if (given === "none") return [];
  const wanted = typeof given === "string" ? given.split(",").map((name) => name.trim()) : [""];
  const faults = faultNames.filter((name) => wanted.includes(name) || wanted.includes(faultArgument(name)));
  const unknown = wanted.find(
    (name) => !faults.some((fault) => fault === name || faultArgument(fault) === name),
  );
  if (unknown === undefined) return faults;
  const names = faultNames.map(faultArgument).join(", ");
  throw new Refusal(
    `There is no fault "${unknown}"; --faults takes "none" or a comma-separated list of ${names}.`,
  );
}
