/** What a person asked for on the command line, checked. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { parseSize } from "./units.ts";

/** A mistake in the arguments, told in one sentence. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly exitCode: number;

  constructor(message: string, exitCode = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

export interface StatusCommand {
  readonly name: "status";
  readonly config: string;
  readonly isJson: boolean;
}

export interface LoadCommand {
  readonly name: "load";
  readonly config: string;
  readonly sizeBytes: number;
  readonly concurrency: number;
  readonly seconds: number;
  /** Null for as many as the vault takes. */
  readonly uploadsPerSecond: number | null;
  readonly bucket: string;
  /** Null for none. */
  readonly journal: string | null;
  /** Leaves the objects in the vault. */
  readonly isKept: boolean;
}

export interface VerifyCommand {
  readonly name: "verify";
  readonly config: string;
  readonly journal: string | null;
  /** Null for all. */
  readonly bucket: string | null;
}

export interface DrillCommand {
  readonly name: "drill";
  /** Null for a vault of its own, which is removed afterwards. */
  readonly config: string | null;
  readonly times: number;
  readonly sizeBytes: number;
  readonly concurrency: number;
}

export interface PlanCommand {
  readonly name: "plan";
  /** Null for standard input. */
  readonly input: string | null;
  readonly isJson: boolean;
}

export type Command =
  | { readonly name: "help" }
  /** Prints an input to start from. */
  | { readonly name: "plan-example" }
  | StatusCommand
  | LoadCommand
  | VerifyCommand
  | DrillCommand
  | PlanCommand;

export const help = `Stashlight's command line.

  npm run stashlight -- vault status [--json]
      How every node and drive of the vault is, problems first. Exit code 1 when the vault takes no uploads.

  npm run stashlight -- vault load [--size 256KiB] [--concurrency 16] [--seconds 30] [--rate NUMBER] [--bucket load]
                                   [--journal FILE] [--keep]
      Uploads as fast as the vault takes them, and tells rates and latencies. It deletes its objects at the end, unless
      --keep is given. A bucket takes one load at a time. --journal writes down what was acknowledged, for verify.
      With --rate so many uploads a second begin, at random moments as of many clients who know nothing of each other
      (Poisson), as long as no more than --concurrency are under way.

  npm run stashlight -- vault verify [--bucket NAME] [--journal FILE]
      Reads back every object that is listed, and every one that the journal says was acknowledged, and compares its MD5
      with its ETag. Tells how many shards are durable. Exit code 1 when anything is lost or wrong.

  npm run stashlight -- vault drill power-cut [--times 1] [--size 64KiB] [--concurrency 8]
      Kills every process of a vault under load, starts it again and verifies, again and again. The vault is made for the
      drill, of drives that lose with their process what was not synced; with --config it is one that is not running.

  npm run stashlight -- plan --input FILE [--json]
      How many SSDs the stash needs, and why. FILE is JSON; "-" is standard input. Exit code 0 when the installed pool
      suffices or none is given, 2 when it does not, 1 when the input is wrong: a sentence tells each mistake.

  npm run stashlight -- plan --example
      An input to start from, as JSON.

Options of all commands
  --config FILE   The vault's file (.stashlight/vault/vault.json), where a command has to do with a vault
  --help          Show this text`;

const common = { config: { type: "string" }, help: { type: "boolean", short: "h", default: false } } as const;
const size = { type: "string" } as const;

const declared = {
  status: { ...common, json: { type: "boolean", default: false } },
  load: {
    ...common,
    size: { ...size, default: "256KiB" },
    concurrency: { type: "string", default: "16" },
    seconds: { type: "string", default: "30" },
    rate: { type: "string" },
    bucket: { type: "string", default: "load" },
    journal: { type: "string" },
    keep: { type: "boolean", default: false },
  },
  verify: { ...common, bucket: { type: "string" }, journal: { type: "string" } },
  drill: {
    ...common,
    times: { type: "string", default: "1" },
    size: { ...size, default: "64KiB" },
    concurrency: { type: "string", default: "8" },
  },
  plan: {
    help: common.help,
    input: { type: "string" },
    json: { type: "boolean", default: false },
    example: { type: "boolean", default: false },
  },
} as const;

const SIZE_BYTES_MAX = 64 * 1_048_576;
const CONCURRENCY_MAX = 1024;
const SECONDS_MAX = 86_400;
const TIMES_MAX = 10_000;
const RATE_MAX = 10_000;

export interface Surroundings {
  readonly projectDirectory: string;
  readonly currentDirectory: string;
}

/** Throws a UsageError. */
export function parseCommand(args: readonly string[], surroundings: Surroundings): Command {
  const [subject, verb, ...rest] = args;
  if (subject === undefined || isHelp(subject) || (subject === "vault" && isHelp(verb)))
    return { name: "help" };
  if (subject === "plan") return parsePlan(args.slice(1), surroundings);
  if (subject !== "vault") {
    throw new UsageError(`There is no command "${subject}"; npm run stashlight -- --help lists them.`);
  }
  switch (verb) {
    case "status":
      return parseStatus(rest, surroundings);
    case "load":
      return parseLoad(rest, surroundings);
    case "verify":
      return parseVerify(rest, surroundings);
    case "drill":
      return parseDrill(rest, surroundings);
    default:
      throw new UsageError(
        `Say which of status, load, verify or drill to do with the vault${verb === undefined ? "" : `; "${verb}" is none of them`}.`,
      );
  }
}

const isHelp = (word: string | undefined): boolean => word === "--help" || word === "-h" || word === "help";

function parseStatus(args: readonly string[], surroundings: Surroundings): Command {
  const values = parseStrictly(() => parseArgs({ args: [...args], options: declared.status }).values);
  if (values.help) return { name: "help" };
  return { name: "status", config: configOf(values.config, surroundings), isJson: values.json };
}

function parseLoad(args: readonly string[], surroundings: Surroundings): Command {
  const values = parseStrictly(() => parseArgs({ args: [...args], options: declared.load }).values);
  if (values.help) return { name: "help" };
  return {
    name: "load",
    config: configOf(values.config, surroundings),
    sizeBytes: sizeOf(values.size),
    concurrency: integerOf("--concurrency", values.concurrency, CONCURRENCY_MAX),
    seconds: integerOf("--seconds", values.seconds, SECONDS_MAX),
    uploadsPerSecond: values.rate === undefined ? null : rateOf(values.rate),
    bucket: bucketOf(values.bucket),
    journal: journalOf(values.journal, surroundings),
    isKept: values.keep,
  };
}

function parseVerify(args: readonly string[], surroundings: Surroundings): Command {
  const values = parseStrictly(() => parseArgs({ args: [...args], options: declared.verify }).values);
  if (values.help) return { name: "help" };
  return {
    name: "verify",
    config: configOf(values.config, surroundings),
    bucket: values.bucket === undefined ? null : bucketOf(values.bucket),
    journal: journalOf(values.journal, surroundings),
  };
}

function parseDrill([scenario, ...args]: readonly string[], surroundings: Surroundings): Command {
  if (isHelp(scenario)) return { name: "help" };
  if (scenario !== "power-cut") {
    throw new UsageError(`The only drill is power-cut: npm run stashlight -- vault drill power-cut.`);
  }
  const values = parseStrictly(() => parseArgs({ args: [...args], options: declared.drill }).values);
  if (values.help) return { name: "help" };
  return {
    name: "drill",
    config: values.config === undefined ? null : configOf(values.config, surroundings),
    times: integerOf("--times", values.times, TIMES_MAX),
    sizeBytes: sizeOf(values.size),
    concurrency: integerOf("--concurrency", values.concurrency, CONCURRENCY_MAX),
  };
}

/** For `plan` 2 means that the pool does not suffice, so that a mistake is 1. */
const PLAN_MISTAKE = 1;

function parsePlan(args: readonly string[], { currentDirectory }: Surroundings): Command {
  const parse = () => parseArgs({ args: [...args], options: declared.plan }).values;
  const values = parseStrictly(parse, PLAN_MISTAKE);
  if (values.help) return { name: "help" };
  if (values.example) return { name: "plan-example" };
  const { input } = values;
  if (input === undefined || input.trim() === "") {
    throw new UsageError(
      "--input must be a file with a plan's input, or - for standard input.",
      PLAN_MISTAKE,
    );
  }
  return {
    name: "plan",
    input: input === "-" ? null : resolve(currentDirectory, input),
    isJson: values.json,
  };
}

function parseStrictly<Values>(parse: () => Values, exitCode?: number): Values {
  try {
    return parse();
  } catch (error) {
    const [sentence = ""] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(
      `${sentence.replace(/\.$/, "")}; npm run stashlight -- --help lists the options.`,
      exitCode,
    );
  }
}

function configOf(text: string | undefined, { projectDirectory, currentDirectory }: Surroundings): string {
  if (text === undefined) return resolve(projectDirectory, ".stashlight/vault/vault.json");
  if (text.trim() === "") throw new UsageError("--config must be the vault's file.");
  return resolve(currentDirectory, text);
}

function journalOf(text: string | undefined, { currentDirectory }: Surroundings): string | null {
  if (text === undefined) return null;
  if (text.trim() === "") throw new UsageError("--journal must be a file.");
  return resolve(currentDirectory, text);
}

function bucketOf(text: string): string {
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)) return text;
  throw new UsageError(
    `--bucket must be 3 to 63 lower-case letters, digits, dots and hyphens, and "${text}" is not.`,
  );
}

function sizeOf(text: string): number {
  const bytes = parseSize(text);
  if (bytes !== null && bytes >= 1 && bytes <= SIZE_BYTES_MAX) return bytes;
  throw new UsageError(`--size must be from 1 byte to 64MiB, such as 256KiB, and "${text}" is not.`);
}

function rateOf(text: string): number {
  const rate = Number(text);
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text) && rate > 0 && rate <= RATE_MAX) return rate;
  throw new UsageError(
    `--rate must be uploads a second, above 0 and up to ${RATE_MAX}, such as 0.5 or 20, and "${text}" is not.`,
  );
}

function integerOf(name: string, text: string, max: number): number {
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= 1 && value <= max) return value;
  throw new UsageError(`${name} must be a number from 1 to ${max}, and "${text}" is not.`);
}
