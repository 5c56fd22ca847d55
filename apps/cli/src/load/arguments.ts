import { DAY_SECONDS } from "@stashlight/contracts/time";
import {
  CONCURRENCY_MAX,
  findVaultFile,
  journalPath,
  parseBucketName,
  parseInteger,
  parseRate,
  parseSizeArgument,
  type Surroundings,
} from "../argument-values.ts";
import { flag, parseOptions, text } from "../parse-options.ts";

export type LoadCommand = ReturnType<typeof parseLoad>;

export function parseLoad(args: readonly string[], surroundings: Surroundings) {
  const options = {
    config: text,
    size: { type: "string", default: "256KiB" },
    concurrency: { type: "string", default: "16" },
    seconds: { type: "string", default: "30" },
    rate: text,
    bucket: { type: "string", default: "load" },
    journal: text,
    keep: flag,
  } as const;
  const { values } = parseOptions({ args, options });
  return {
    name: "load",
    config: findVaultFile(values.config, surroundings),
    sizeBytes: parseSizeArgument(values.size),
    concurrency: parseInteger("--concurrency", values.concurrency, CONCURRENCY_MAX),
    seconds: parseInteger("--seconds", values.seconds, DAY_SECONDS),
    /** Null for the maximum that the vault accepts. */
    uploadsPerSecond: values.rate === undefined ? null : parseRate(values.rate),
    bucket: parseBucketName(values.bucket),
    journal: journalPath(values.journal, surroundings),
    isKept: values.keep,
  } as const;
}
