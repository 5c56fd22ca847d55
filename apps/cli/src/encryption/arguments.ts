/** Parses the arguments of `vault encryption`. Throws a UsageError. */
import { findVaultFile, parseBucketName, type Surroundings } from "../argument-values.ts";
import { flag, onlyArgument, parseOptions, text } from "../parse-options.ts";
import { UsageError } from "../usage-error.ts";

export type EncryptionCommand = ReturnType<typeof parseEncryption>;

export function parseEncryption([verb, ...args]: readonly string[], surroundings: Surroundings) {
  const options = {
    config: text,
    "new-buckets": { type: "string", default: "AES256" },
    yes: flag,
  } as const;
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
  return {
    name: "encryption",
    action: parseAction(verb, values["new-buckets"], positionals),
    config: findVaultFile(values.config, surroundings),
    /** Skips the confirmation. */
    isConfirmed: values.yes,
  } as const;
}

function parseAction(verb: string | undefined, newBuckets: string, positionals: readonly string[]) {
  if (verb === "destroy-key") {
    const example = "vault encryption destroy-key needs a bucket, such as: destroy-key photos.";
    return { type: verb, bucket: parseBucketName(onlyArgument(positionals, example)) } as const;
  }
  if (positionals[0] !== undefined) throw new UsageError(`Unexpected argument "${positionals[0]}".`);
  if (verb === "enable") {
    if (newBuckets !== "AES256" && newBuckets !== "none") {
      throw new UsageError(`--new-buckets must be AES256 or none; got "${newBuckets}".`);
    }
    return { type: verb, newBuckets } as const;
  }
  if (verb === "show" || verb === "rotate" || verb === "drop-old-keys") return { type: verb } as const;
  throw new UsageError(
    `Choose one of show, enable, rotate, drop-old-keys and destroy-key for vault encryption${verb === undefined ? "" : `; "${verb}" is not one of them`}.`,
  );
}
