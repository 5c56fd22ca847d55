/** Checks the arguments on the command line. */

import { randomInt } from "node:crypto";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { DAY_SECONDS } from "@stashlight/contracts/time/duration";
import { driveModelKey, publishedFailures } from "@stashlight/devices/failures";
import { estimateModelRate, modelInputs } from "@stashlight/planner";
import {
  findVaultFile,
  findVaultFiles,
  journalPath,
  parseBucketName,
  parseDollars,
  parseInteger,
  parsePodBytes,
  parseRate,
  parseSizeArgument,
  type Surroundings,
} from "./argument-values.ts";
import type { Command } from "./commands.ts";
import { declaredDisk, readCheck, readCompare, readSweep } from "./disk/arguments.ts";
import { parseDrives } from "./drives/arguments.ts";
import { parseEncryption } from "./encryption/arguments.ts";
import { parseLifecycle } from "./lifecycle/arguments.ts";
import { parseLimit } from "./limit.ts";
import { parseGiveUp, parseLost } from "./lost/arguments.ts";
import { operateVerbs, parseOperate } from "./operate/arguments.ts";
import { parseRestart } from "./restart/arguments.ts";
import { parseRestore } from "./restore.ts";
import { parseScrub } from "./scrub/arguments.ts";
import { parseSetup } from "./setup/arguments.ts";
import { parseSize } from "./units.ts";
import { UsageError } from "./usage-error.ts";

const common = { config: { type: "string" }, help: { type: "boolean", short: "h", default: false } } as const;
const severalConfigs = { ...common, config: { type: "string", multiple: true } } as const;
const size = { type: "string" } as const;

const declared = {
  status: { ...severalConfigs, json: { type: "boolean", default: false } },
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
  verify: { ...severalConfigs, bucket: { type: "string" }, journal: { type: "string" } },
  powerCut: {
    ...common,
    times: { type: "string", default: "1" },
    size: { ...size, default: "64KiB" },
    concurrency: { type: "string", default: "8" },
  },
  full: {
    ...common,
    rounds: { type: "string", default: "10" },
    clients: { type: "string", default: "8" },
    size: { ...size, default: "256KiB" },
    "pod-size": { ...size, default: "96MiB" },
    seed: { type: "string" },
  },
  keys: common,
  bench: {
    help: common.help,
    endpoint: { type: "string", multiple: true },
    preset: { type: "string" },
    set: { type: "string", multiple: true },
    slots: { type: "string", default: "1" },
    seed: { type: "string" },
    limit: { type: "string", multiple: true },
    restore: { type: "string", multiple: true },
    "max-cost": { type: "string" },
    output: { type: "string" },
    json: { type: "boolean", default: false },
  },
  benchCompare: {
    help: common.help,
    endpoint: { type: "string", multiple: true },
    json: { type: "boolean", default: false },
  },
  plan: {
    help: common.help,
    input: { type: "string" },
    "from-log": { type: "string", multiple: true },
    small: { type: "string", default: "1MiB" },
    "listing-rate": { type: "boolean", default: false },
    set: { type: "string", multiple: true },
    "hdd-model": { type: "string" },
    "require-nines": { type: "string" },
    json: { type: "boolean", default: false },
    example: { type: "boolean", default: false },
  },
} as const;

const CONCURRENCY_MAX = 1024;
const SECONDS_MAX = DAY_SECONDS;
const TIMES_MAX = 10_000;
const SLOTS_MAX = 1000;
const SEED_MAX = 999_999_999;
/** Limits from the vault's file. */
const SMALL_BYTES_MAX = 8_388_608;

/** Throws a UsageError. */
export function parseCommand(args: readonly string[], surroundings: Surroundings): Command {
  const [subject, verb, ...rest] = args;
  if (subject === undefined || isHelp(subject) || (subject === "vault" && isHelp(verb)))
    return { name: "help" };
  if (subject === "plan") return parsePlan(args.slice(1), surroundings);
  if (subject === "bench") return parseBench(args.slice(1), surroundings);
  if (subject === "drives") return parseDrives(args.slice(1), surroundings);
  if (subject === "disk") return parseDisk(args.slice(1), surroundings);
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
    case "keys":
      return parseKeys(rest, surroundings);
    case "create":
    case "bundle":
    case "renew":
    case "join":
    case "run":
      return parseSetup(verb, rest, surroundings);
    case "restart":
      return parseRestart(rest, surroundings);
    case "scrub":
      return parseScrub(rest, surroundings);
    case "lost":
      return parseLost(rest, surroundings);
    case "lifecycle":
      return parseLifecycle(rest, surroundings);
    case "give-up":
      return parseGiveUp(rest, surroundings);
    case "encryption":
      return parseEncryption(rest, surroundings);
    case "replace-drive":
    case "replace-machine":
    case "rebuild":
    case "add-coordinator":
    case "add-stash":
    case "drain":
    case "remove":
      return parseOperate(verb, rest, surroundings);
    default:
      throw new UsageError(
        `Name one of status, load, verify, scrub, lost, lifecycle, give-up, encryption, drill, keys, create, bundle, renew, join, run, restart, ${operateVerbs.slice(0, -1).join(", ")} or ${operateVerbs.at(-1)} to do with the vault${verb === undefined ? "" : `; "${verb}" is not one of them`}.`,
      );
  }
}

const isHelp = (word: string | undefined): boolean => word === "--help" || word === "-h" || word === "help";

function parseStatus(args: readonly string[], surroundings: Surroundings): Command {
  const values = parseStrictly(() => parseArgs({ args: [...args], options: declared.status }).values);
  if (values.help) return { name: "help" };
  return { name: "status", ...findVaultFiles(values.config, surroundings), isJson: values.json };
}

function parseLoad(args: readonly string[], surroundings: Surroundings): Command {
  const values = parseStrictly(() => parseArgs({ args: [...args], options: declared.load }).values);
  if (values.help) return { name: "help" };
  return {
    name: "load",
    config: findVaultFile(values.config, surroundings),
    sizeBytes: parseSizeArgument(values.size),
    concurrency: parseInteger("--concurrency", values.concurrency, CONCURRENCY_MAX),
    seconds: parseInteger("--seconds", values.seconds, SECONDS_MAX),
    uploadsPerSecond: values.rate === undefined ? null : parseRate(values.rate),
    bucket: parseBucketName(values.bucket),
    journal: journalPath(values.journal, surroundings),
    isKept: values.keep,
  };
}

function parseVerify(args: readonly string[], surroundings: Surroundings): Command {
  const values = parseStrictly(() => parseArgs({ args: [...args], options: declared.verify }).values);
  if (values.help) return { name: "help" };
  return {
    name: "verify",
    ...findVaultFiles(values.config, surroundings),
    bucket: values.bucket === undefined ? null : parseBucketName(values.bucket),
    journal: journalPath(values.journal, surroundings),
  };
}

function parseDrill([scenario, ...args]: readonly string[], surroundings: Surroundings): Command {
  if (isHelp(scenario)) return { name: "help" };
  if (scenario === "power-cut") return parsePowerCut(args, surroundings);
  if (scenario === "full") return parseFull(args, surroundings);
  throw new UsageError(
    "The drills are power-cut and full, such as: npm run stashlight -- vault drill power-cut.",
  );
}

function parsePowerCut(args: readonly string[], surroundings: Surroundings): Command {
  const values = parseStrictly(() => parseArgs({ args: [...args], options: declared.powerCut }).values);
  if (values.help) return { name: "help" };
  return {
    name: "drill-power-cut",
    config: values.config === undefined ? null : findVaultFile(values.config, surroundings),
    times: parseInteger("--times", values.times, TIMES_MAX),
    sizeBytes: parseSizeArgument(values.size),
    concurrency: parseInteger("--concurrency", values.concurrency, CONCURRENCY_MAX),
  };
}

function parseFull(args: readonly string[], surroundings: Surroundings): Command {
  const values = parseStrictly(() => parseArgs({ args: [...args], options: declared.full }).values);
  if (values.help) return { name: "help" };
  return {
    name: "drill-full",
    config: values.config === undefined ? null : findVaultFile(values.config, surroundings),
    rounds: parseInteger("--rounds", values.rounds, TIMES_MAX),
    clientCount: parseInteger("--clients", values.clients, CONCURRENCY_MAX),
    sizeBytes: parseSizeArgument(values.size),
    podBytes: parsePodBytes(values["pod-size"]),
    seed: values.seed === undefined ? null : parseInteger("--seed", values.seed, SEED_MAX),
  };
}

function parseKeys(args: readonly string[], surroundings: Surroundings): Command {
  const values = parseStrictly(() => parseArgs({ args: [...args], options: declared.keys }).values);
  if (values.help) return { name: "help" };
  return { name: "keys", config: findVaultFile(values.config, surroundings) };
}

function parseBench([verb, ...args]: readonly string[], { currentDirectory }: Surroundings): Command {
  if (isHelp(verb)) return { name: "help" };
  if (verb === "compare") return parseBenchCompare(args, currentDirectory);
  if (verb !== "run")
    throw new UsageError("Choose a command: npm run stashlight -- bench run ..., or bench compare ...");
  const values = parseStrictly(() => parseArgs({ args: [...args], options: declared.bench }).values);
  if (values.help) return { name: "help" };
  const { endpoint: endpoints = [], preset, set = [], limit = [], restore = [], output, seed } = values;
  if (endpoints.length === 0)
    throw new UsageError("--endpoint must be a file with an endpoint; it may be given again.");
  if (preset === undefined) throw new UsageError('--preset must be the name of a preset, such as "b2-2023".');
  return {
    name: "bench-run",
    endpoints: endpoints.map((path) => resolve(currentDirectory, path)),
    preset,
    parameters: Object.fromEntries(set.map(parseParameter)),
    slotCount: parseInteger("--slots", values.slots, SLOTS_MAX),
    seed: seed === undefined ? randomInt(SEED_MAX) : parseInteger("--seed", seed, SEED_MAX),
    limits: limit.map(parseLimit),
    restores: restore.map(parseRestore),
    costMax: values["max-cost"] === undefined ? null : parseDollars("--max-cost", values["max-cost"]),
    output: output === undefined ? null : resolve(currentDirectory, output),
    isJson: values.json,
  };
}

function parseBenchCompare(args: readonly string[], currentDirectory: string): Command {
  const options = declared.benchCompare;
  const { values, positionals } = parseStrictly(() =>
    parseArgs({ args: [...args], options, allowPositionals: true }),
  );
  if (values.help) return { name: "help" };
  if (positionals.length === 0)
    throw new UsageError(
      "Give the files or folders that bench run --output wrote, such as: bench compare runs.",
    );
  const paths = positionals.map((path) => resolve(currentDirectory, path));
  return { name: "bench-compare", paths, endpoints: values.endpoint ?? [], isJson: values.json };
}

function parseDisk([verb, ...args]: readonly string[], { currentDirectory }: Surroundings): Command {
  if (isHelp(verb)) return { name: "help" };
  if (verb === "check") {
    const values = parseStrictly(() => parseArgs({ args: [...args], options: declaredDisk.check }).values);
    return values.help ? { name: "help" } : readCheck(values, currentDirectory);
  }
  if (verb === "sweep") {
    const values = parseStrictly(() => parseArgs({ args: [...args], options: declaredDisk.sweep }).values);
    return values.help ? { name: "help" } : readSweep(values, currentDirectory);
  }
  if (verb === "compare") {
    const values = parseStrictly(() => parseArgs({ args: [...args], options: declaredDisk.compare }).values);
    return values.help ? { name: "help" } : readCompare(values, currentDirectory);
  }
  throw new UsageError(
    "A drive is measured by disk check or disk sweep, and disk compare compares them, such as: npm run stashlight -- disk check --folder /srv/ssd0.",
  );
}

/** "repetitionCount=10": the value is JSON, or otherwise plain text. */
function parseParameter(text: string): [string, unknown] {
  const [, name, value = ""] = /^([A-Za-z]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined)
    throw new UsageError(
      `--set must be a parameter and its value, such as repetitionCount=10, and "${text}" is not.`,
    );
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
}

/** For `plan`, 2 means that the pool does not suffice, so a mistake is 1. */
const PLAN_MISTAKE = 1;

function parsePlan(args: readonly string[], { currentDirectory }: Surroundings): Command {
  const parse = () => parseArgs({ args: [...args], options: declared.plan }).values;
  const values = parseStrictly(parse, PLAN_MISTAKE);
  if (values.help) return { name: "help" };
  if (values.example) return { name: "plan-example" };
  const { input, "from-log": logs = [], set = [], "hdd-model": model } = values;
  const options = {
    changes: {
      ...(model === undefined ? {} : parseHddModel(model)),
      ...Object.fromEntries(set.map(parseChange)),
    },
    requiredNines: parseRequiredNines(values["require-nines"]),
    isJson: values.json,
  };
  if (logs.length > 0) {
    const resolvePath = (path: string): string | null =>
      path === "-" ? null : resolve(currentDirectory, path);
    if (input === "-" || logs.filter((path) => path === "-").length > 1) {
      throw new UsageError(
        "Standard input can be read once: give - to --from-log once, and a file to --input.",
        PLAN_MISTAKE,
      );
    }
    return {
      name: "plan-from-log",
      logs: logs.map(resolvePath),
      input: input === undefined ? null : resolve(currentDirectory, input),
      smallBytesMax: parseSmallBytes(values.small),
      takesListingRate: values["listing-rate"],
      ...options,
    };
  }
  const isExampleEnough = Object.keys(options.changes).length > 0 || options.requiredNines !== null;
  if (input === undefined && isExampleEnough) return { name: "plan", input: "example", ...options };
  if (input === undefined || input.trim() === "") {
    throw new UsageError(
      "--input must be a file with a plan's input, or - for standard input; --set alone changes the example.",
      PLAN_MISTAKE,
    );
  }
  const path = input === "-" ? null : resolve(currentDirectory, input);
  return { name: "plan", input: { path }, ...options };
}

/** Inputs for drives of a model, from the counts that a large operator publishes. */
function parseHddModel(text: string) {
  const published = publishedFailures.get(driveModelKey(text));
  if (published !== undefined)
    return modelInputs(estimateModelRate({ published, own: { driveDays: 0, failures: 0 } }));
  throw new UsageError(
    `There are no published failures of the HDD model "${text}"; known are ${[...publishedFailures.keys()].join(", ")}. Give a rate of your own with --set hddAnnualFailureRate=0.012.`,
    PLAN_MISTAKE,
  );
}

function parseChange(text: string): [name: string, value: unknown] {
  const at = text.indexOf("=");
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  const figure = value.trim() === "" ? Number.NaN : Number(value);
  if (at > 0 && value === "null") return [name, null];
  if (at > 0 && Number.isFinite(figure)) return [name, figure];
  throw new UsageError(
    `--set must be NAME=NUMBER, such as hddBytes=24e12, and "${text}" is not; plan --example shows all names.`,
    PLAN_MISTAKE,
  );
}

const NINES_REQUIRED_MAX = 30;

function parseRequiredNines(text: string | undefined): number | null {
  if (text === undefined) return null;
  const nines = text.trim() === "" ? Number.NaN : Number(text);
  if (nines >= 1 && nines <= NINES_REQUIRED_MAX) return nines;
  throw new UsageError(`--require-nines must be 1 to 30, such as 11, and "${text}" is not.`, PLAN_MISTAKE);
}

function parseSmallBytes(text: string): number {
  const bytes = parseSize(text);
  if (bytes !== null && bytes >= 1 && bytes <= SMALL_BYTES_MAX) return bytes;
  throw new UsageError(
    `--small must be the largest upload that goes by the stash, from 1 byte to 8MiB, such as 1MiB, and "${text}" is not.`,
    PLAN_MISTAKE,
  );
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
