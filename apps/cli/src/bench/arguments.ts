/** Parses the arguments of `bench ...`. All throw a UsageError. */
import { randomInt } from "node:crypto";
import { resolve } from "node:path";
import { parseDollars, parseInteger, SEED_MAX, type Surroundings } from "../argument-values.ts";
import { parseLimit } from "../limit.ts";
import { flag, parseOptions, text, texts } from "../parse-options.ts";
import { parseRestore } from "../restore.ts";
import { UsageError } from "../usage-error.ts";

export type BenchRunCommand = ReturnType<typeof parseBenchRun>;
export type BenchCompareCommand = ReturnType<typeof parseBenchCompare>;

const SLOTS_MAX = 1000;

export function parseBench([verb, ...args]: readonly string[], surroundings: Surroundings) {
  if (verb === "compare") return parseBenchCompare(args, surroundings);
  if (verb === "run") return parseBenchRun(args, surroundings);
  throw new UsageError("Choose a command: npm run stashlight -- bench run ..., or bench compare ...");
}

function parseBenchRun(args: readonly string[], { currentDirectory }: Surroundings) {
  const options = {
    endpoint: texts,
    preset: text,
    set: texts,
    slots: { type: "string", default: "1" },
    seed: text,
    limit: texts,
    restore: texts,
    "max-cost": text,
    output: text,
    json: flag,
  } as const;
  const { values } = parseOptions({ args, options });
  const { endpoint: endpoints = [], preset, set = [], limit = [], restore = [], output, seed } = values;
  if (endpoints.length === 0)
    throw new UsageError("--endpoint must be a file with an endpoint; it can be repeated.");
  if (preset === undefined) throw new UsageError('--preset must be the name of a preset, such as "b2-2023".');
  return {
    name: "bench-run",
    /** Files of endpoints. */
    endpoints: endpoints.map((path) => resolve(currentDirectory, path)),
    /** A preset's name, prefixed with its method if ambiguous: "small-uploads/b2-2023". */
    preset,
    /** Method parameters that differ from the preset's. */
    parameters: Object.fromEntries(set.map(parseParameter)),
    slotCount: parseInteger("--slots", values.slots, SLOTS_MAX),
    /** Seed of the order of endpoints within each slot. */
    seed: seed === undefined ? randomInt(SEED_MAX) : parseInteger("--seed", seed, SEED_MAX),
    limits: limit.map(parseLimit),
    restores: restore.map(parseRestore),
    /** Maximum cost of the measurement by the endpoints' price lists, in US dollars; null for no limit. */
    costMax: values["max-cost"] === undefined ? null : parseDollars("--max-cost", values["max-cost"]),
    /** Folder for files that a console imports; null for none. */
    output: output === undefined ? null : resolve(currentDirectory, output),
    isJson: values.json,
  } as const;
}

function parseBenchCompare(args: readonly string[], { currentDirectory }: Surroundings) {
  const options = { endpoint: texts, json: flag };
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
  if (positionals.length === 0)
    throw new UsageError(
      "Give the files or folders that bench run --output wrote, such as: bench compare runs.",
    );
  const paths = positionals.map((path) => resolve(currentDirectory, path));
  // Without --endpoint, the files must have exactly two endpoints.
  return { name: "bench-compare", paths, endpoints: values.endpoint ?? [], isJson: values.json } as const;
}

/** "repetitionCount=10": the value is JSON, or otherwise plain text. */
function parseParameter(text: string): [string, unknown] {
  const [, name, value = ""] = /^([A-Za-z]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined)
    throw new UsageError(
      `--set must be a parameter and its value, such as repetitionCount=10; got "${text}".`,
    );
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
}
