/** Reads and checks the arguments of `vault encryption`. Throws a UsageError. */
import { parseArgs } from "node:util";
import { findVaultFile, parseBucketName, type Surroundings } from "../argument-values.ts";
import type { Command, EncryptionCommand } from "../commands.ts";
import { UsageError } from "../usage-error.ts";

const options = {
  help: { type: "boolean", short: "h", default: false },
  config: { type: "string" },
  "new-buckets": { type: "string", default: "AES256" },
  yes: { type: "boolean", default: false },
} as const;

export function parseEncryption([verb, ...args]: readonly string[], surroundings: Surroundings): Command {
  const { values, positionals } = strictly(() => parseArgs({ args, options, allowPositionals: true }));
  if (values.help || verb === "--help" || verb === "-h") return { name: "help" };
  const action = readAction(verb, values["new-buckets"], positionals);
  const config = findVaultFile(values.config, surroundings);
  return { name: "encryption", config, action, isConfirmed: values.yes };
}

function readAction(
  verb: string | undefined,
  newBuckets: string,
  positionals: readonly string[],
): EncryptionCommand["action"] {
  const [bucket, ...more] = positionals;
  if (verb === "destroy-key") {
    if (bucket === undefined || more.length > 0) {
      throw new UsageError("vault encryption destroy-key names one bucket, such as: destroy-key photos.");
    }
    return { type: verb, bucket: parseBucketName(bucket) };
  }
  if (bucket !== undefined) throw new UsageError(`"${bucket}" is not understood here.`);
  if (verb === "enable") {
    if (newBuckets !== "AES256" && newBuckets !== "none") {
      throw new UsageError(`--new-buckets must be AES256 or none, and "${newBuckets}" is neither.`);
    }
    return { type: verb, newBuckets };
  }
  if (verb === "show" || verb === "rotate" || verb === "drop-old-keys") return { type: verb };
  throw new UsageError(
    `Choose one of show, enable, rotate, drop-old-keys and destroy-key for vault encryption${verb === undefined ? "" : `; "${verb}" is none of them`}.`,
  );
}

function strictly<Parsed>(parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(`${(error as Error).message.replace(/\.$/, "")}.`);
  }
}
