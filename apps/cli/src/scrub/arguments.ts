/** Reads and checks the arguments of `vault scrub`. All throw a UsageError. */
import { parseArgs } from "node:util";
import { scrubMarks } from "@stashlight/contracts/thresholds";
import { findVaultFile, type Surroundings } from "../argument-values.ts";
import type { Command } from "../commands.ts";
import { parseSize } from "../units.ts";
import { UsageError } from "../usage-error.ts";

const declared = {
  config: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
  drive: { type: "string", multiple: true },
  rate: { type: "string" },
  wait: { type: "boolean", default: false },
  stop: { type: "boolean", default: false },
} as const;

export function parseScrub(args: readonly string[], surroundings: Surroundings): Command {
  const values = parseStrictly(args);
  if (values.help) return { name: "help" };
  const { drive: drives = [], rate, wait, stop } = values;
  for (const each of drives) {
    if (!/^[ps]\d{1,5}$/.test(each)) {
      throw new UsageError(`--drive must be a drive, such as p3 or s7, and "${each}" is not.`);
    }
  }
  if (stop && (rate !== undefined || wait)) throw new UsageError("--stop takes neither --rate nor --wait.");
  return {
    name: "scrub",
    config: findVaultFile(values.config, surroundings),
    drives: drives.length === 0 ? null : [...new Set(drives)],
    bytesPerSecond: rate === undefined ? null : parseRate(rate),
    isWaiting: wait,
    isStopped: stop,
  };
}

function parseStrictly(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: declared }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message.replace(/\.$/, "")}.`);
  }
}

function parseRate(text: string): number {
  const bytes = parseSize(text);
  if (bytes !== null && bytes >= scrubMarks.bytesPerSecondMin && bytes <= scrubMarks.bytesPerSecondMax)
    return bytes;
  throw new UsageError(
    `--rate must be bytes a second of each drive, from 10kB to 10GB, such as 32MB, and "${text}" is not.`,
  );
}
