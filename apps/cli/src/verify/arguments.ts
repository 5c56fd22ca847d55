import { findVaultFiles, journalPath, parseBucketName, type Surroundings } from "../argument-values.ts";
import { parseOptions, text, texts } from "../parse-options.ts";

export type VerifyCommand = ReturnType<typeof parseVerify>;

export function parseVerify(args: readonly string[], surroundings: Surroundings) {
  const { values } = parseOptions({ args, options: { config: texts, bucket: text, journal: text } });
  return {
    name: "verify",
    ...findVaultFiles(values.config, surroundings),
    /** Null for all. */
    bucket: values.bucket === undefined ? null : parseBucketName(values.bucket),
    journal: journalPath(values.journal, surroundings),
  } as const;
}
