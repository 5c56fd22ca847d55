import {
  CONCURRENCY_MAX,
  findVaultFile,
  parseInteger,
  parsePodBytes,
  parseSizeArgument,
  SEED_MAX,
  type Surroundings,
} from "../argument-values.ts";
import { parseOptions, text } from "../parse-options.ts";
import { UsageError } from "../usage-error.ts";

const TIMES_MAX = 10_000;

export type PowerCutDrillCommand = ReturnType<typeof parsePowerCut>;
export type FullDrillCommand = ReturnType<typeof parseFull>;

export function parseDrill([scenario, ...args]: readonly string[], surroundings: Surroundings) {
  if (scenario === "help") return { name: "help" } as const;
  if (scenario === "power-cut") return parsePowerCut(args, surroundings);
  if (scenario === "full") return parseFull(args, surroundings);
  throw new UsageError(
    "The drills are power-cut and full, such as: npm run stashlight -- vault drill power-cut.",
  );
}

function parsePowerCut(args: readonly string[], surroundings: Surroundings) {
  const options = {
    config: text,
    times: { type: "string", default: "1" },
    size: { type: "string", default: "64KiB" },
    concurrency: { type: "string", default: "8" },
  } as const;
  const { values } = parseOptions({ args, options });
  return {
    name: "drill-power-cut",
    config: findStoppedVault(values.config, surroundings),
    times: parseInteger("--times", values.times, TIMES_MAX),
    sizeBytes: parseSizeArgument(values.size),
    concurrency: parseInteger("--concurrency", values.concurrency, CONCURRENCY_MAX),
  } as const;
}

function parseFull(args: readonly string[], surroundings: Surroundings) {
  const options = {
    config: text,
    rounds: { type: "string", default: "10" },
    clients: { type: "string", default: "8" },
    size: { type: "string", default: "256KiB" },
    "pod-size": { type: "string", default: "96MiB" },
    seed: text,
  } as const;
  const { values } = parseOptions({ args, options });
  return {
    name: "drill-full",
    config: findStoppedVault(values.config, surroundings),
    rounds: parseInteger("--rounds", values.rounds, TIMES_MAX),
    clientCount: parseInteger("--clients", values.clients, CONCURRENCY_MAX),
    sizeBytes: parseSizeArgument(values.size),
    podBytes: parsePodBytes(values["pod-size"]),
    /** Null for a random one. */
    seed: values.seed === undefined ? null : parseInteger("--seed", values.seed, SEED_MAX),
  } as const;
}

/** Null for a temporary vault, which is removed afterwards. */
const findStoppedVault = (config: string | undefined, surroundings: Surroundings): string | null =>
  config === undefined ? null : findVaultFile(config, surroundings);
