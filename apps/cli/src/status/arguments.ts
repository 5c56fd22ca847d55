import { findVaultFiles, type Surroundings } from "../argument-values.ts";
import { flag, parseOptions, texts } from "../parse-options.ts";

export type StatusCommand = ReturnType<typeof parseStatus>;

export function parseStatus(args: readonly string[], surroundings: Surroundings) {
  const { values } = parseOptions({ args, options: { config: texts, json: flag } });
  return { name: "status", ...findVaultFiles(values.config, surroundings), isJson: values.json } as const;
}
