import { findVaultFile, type Surroundings } from "../argument-values.ts";
import { parseOptions, text } from "../parse-options.ts";

export type KeysCommand = ReturnType<typeof parseKeys>;

export function parseKeys(args: readonly string[], surroundings: Surroundings) {
  const { values } = parseOptions({ args, options: { config: text } });
  return { name: "keys", config: findVaultFile(values.config, surroundings) } as const;
}
