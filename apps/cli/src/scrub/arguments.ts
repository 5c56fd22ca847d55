/** Parses the arguments of `vault scrub`. All throw a UsageError. */
import { scrubMarks } from "@stashlight/contracts/thresholds";
import { findVaultFile, isDriveAddress, type Surroundings } from "../argument-values.ts";
import { flag, parseOptions, text, texts } from "../parse-options.ts";
import { parseSize } from "../units.ts";
import { UsageError } from "../usage-error.ts";

export type ScrubCommand = ReturnType<typeof parseScrub>;

export function parseScrub(args: readonly string[], surroundings: Surroundings) {
  const options = { config: text, drive: texts, rate: text, wait: flag, stop: flag };
  const { drive: drives = [], rate, wait, stop, config } = parseOptions({ args, options }).values;
  const stray = drives.find((each) => !isDriveAddress(each));
  if (stray !== undefined) throw new UsageError(`--drive must be a drive, such as p3 or s7; got "${stray}".`);
  if (stop && (rate !== undefined || wait)) throw new UsageError("--stop takes neither --rate nor --wait.");
  return {
    name: "scrub",
    config: findVaultFile(config, surroundings),
    /** Addresses, such as p3 and s7; null for all. */
    drives: drives.length === 0 ? null : [...new Set(drives)],
    /** Maximum read rate of each drive; null for the usual rate, or that of the current round. */
    bytesPerSecond: rate === undefined ? null : parseRate(rate),
    /** Waits until the drives have been read to their ends. */
    isWaiting: wait,
    isStopped: stop,
  } as const;
}

function parseRate(text: string): number {
  const bytes = parseSize(text);
  if (bytes !== null && bytes >= scrubMarks.bytesPerSecondMin && bytes <= scrubMarks.bytesPerSecondMax)
    return bytes;
  throw new UsageError(
    `--rate must be bytes per second for each drive, from 10kB to 10GB, such as 32MB; got "${text}".`,
  );
}
