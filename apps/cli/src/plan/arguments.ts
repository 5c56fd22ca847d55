/** Parses the arguments of `plan`. Throws a UsageError. */
import { resolve } from "node:path";
import { driveModelKey, publishedFailures } from "@stashlight/devices/failures";
import { estimateModelRate, modelInputs } from "@stashlight/planner";
import type { Surroundings } from "../argument-values.ts";
import { flag, parseOptions, text, texts } from "../parse-options.ts";
import { parseSize } from "../units.ts";
import { UsageError } from "../usage-error.ts";

/** Limits from the vault's file. */
const SMALL_BYTES_MAX = 8_388_608;
const NINES_REQUIRED_MAX = 30;

/** Exit code for a mistake in the arguments: for `plan`, 2 means that the pool does not suffice. */
const PLAN_MISTAKE = 1;
const mistake = (sentence: string): UsageError => new UsageError(sentence, PLAN_MISTAKE);

/** Source of a plan's input: `path` is null for standard input; the example without a file. */
export type PlanSource = { readonly path: string | null } | "example";

type ParsedPlan = ReturnType<typeof parsePlan>;
export type PlanCommand = Extract<ParsedPlan, { name: "plan" }>;
export type PlanFromLogCommand = Extract<ParsedPlan, { name: "plan-from-log" }>;

export function parsePlan(args: readonly string[], surroundings: Surroundings) {
  const options = {
    input: text,
    "from-log": texts,
    small: { type: "string", default: "1MiB" },
    "listing-rate": flag,
    set: texts,
    "hdd-model": text,
    "require-nines": text,
    json: flag,
    example: flag,
  } as const;
  const { values } = parseOptions({ args, options }, PLAN_MISTAKE);
  if (values.example) return { name: "plan-example" } as const;
  const { input, "from-log": logs = [], set = [], "hdd-model": model } = values;
  const changes: Readonly<Record<string, unknown>> = {
    ...(model === undefined ? {} : parseHddModel(model)),
    ...Object.fromEntries(set.map(parseChange)),
  };
  const requiredNines = parseRequiredNines(values["require-nines"]);
  const shared = { changes, requiredNines, isJson: values.json };
  if (logs.length > 0) {
    const smallBytesMax = parseSmallBytes(values.small);
    const takesListingRate = values["listing-rate"];
    return { ...parseLogs(logs, input, surroundings), smallBytesMax, takesListingRate, ...shared };
  }
  const isExampleEnough = Object.keys(changes).length > 0 || requiredNines !== null;
  return { name: "plan", input: parseSource(input, isExampleEnough, surroundings), ...shared } as const;
}

function parseLogs(logs: readonly string[], input: string | undefined, { currentDirectory }: Surroundings) {
  if (input === "-" || logs.filter((path) => path === "-").length > 1)
    throw mistake("Standard input can be read only once: give - to --from-log and a file to --input.");
  return {
    name: "plan-from-log",
    /** Null for standard input. */
    logs: logs.map((path) => (path === "-" ? null : resolve(currentDirectory, path))),
    /** Rest of the plan; null for the example's. */
    input: input === undefined ? null : resolve(currentDirectory, input),
  } as const;
}

function parseSource(
  input: string | undefined,
  isExampleEnough: boolean,
  { currentDirectory }: Surroundings,
): PlanSource {
  if (input === undefined && isExampleEnough) return "example";
  if (input === undefined || input.trim() === "")
    throw mistake(
      "--input must be a file with a plan's input, or - for standard input; --set alone changes the example.",
    );
  return { path: input === "-" ? null : resolve(currentDirectory, input) };
}

/** Inputs for drives of a model, from the counts that a large operator publishes. */
function parseHddModel(text: string) {
  const published = publishedFailures.get(driveModelKey(text));
  if (published !== undefined)
    return modelInputs(estimateModelRate({ published, own: { driveDays: 0, failures: 0 } }));
  throw mistake(
    `There are no published failures for the HDD model "${text}"; known are ${[...publishedFailures.keys()].join(", ")}. Give a rate of your own with --set hddAnnualFailureRate=0.012.`,
  );
}

function parseChange(text: string): [name: string, value: unknown] {
  const at = text.indexOf("=");
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  const figure = value.trim() === "" ? Number.NaN : Number(value);
  if (at > 0 && value === "null") return [name, null];
  if (at > 0 && Number.isFinite(figure)) return [name, figure];
  throw mistake(
    `--set must be NAME=NUMBER, such as hddBytes=24e12; got "${text}". plan --example lists all names.`,
  );
}

function parseRequiredNines(text: string | undefined): number | null {
  if (text === undefined) return null;
  const nines = text.trim() === "" ? Number.NaN : Number(text);
  if (nines >= 1 && nines <= NINES_REQUIRED_MAX) return nines;
  throw mistake(`--require-nines must be 1 to 30, such as 11; got "${text}".`);
}

function parseSmallBytes(text: string): number {
  const bytes = parseSize(text);
  if (bytes !== null && bytes >= 1 && bytes <= SMALL_BYTES_MAX) return bytes;
  throw mistake(
    `--small must be the largest upload that goes through the stash, from 1 byte to 8MiB, such as 1MiB; got "${text}".`,
  );
}
