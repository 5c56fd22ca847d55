import { findVaultFile, type Surroundings } from "../argument-values.ts";
import { flag, onlyArgument, parseOptions, text } from "../parse-options.ts";

export type LifecycleCommand = ReturnType<typeof parseLifecycle>;

/** Parses the arguments of `vault lifecycle`. Throws a UsageError. */
export function parseLifecycle(args: readonly string[], surroundings: Surroundings) {
  const options = { config: text, rules: text, json: flag };
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
  return {
    name: "lifecycle",
    config: findVaultFile(values.config, surroundings),
    bucket: onlyArgument(
      positionals,
      "vault lifecycle needs a bucket, such as vault lifecycle photos --rules rules.json.",
    ),
    /** File with the rules to try; null for the current ones. */
    rulesPath: values.rules ?? null,
    isJson: values.json,
  } as const;
}
