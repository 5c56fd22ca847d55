/** Reads and checks the arguments of `vault lifecycle`. Throws a UsageError. */
import { parseArgs } from "node:util";
import { findVaultFile, type Surroundings } from "../argument-values.ts";
import type { Command } from "../commands.ts";
import { UsageError } from "../usage-error.ts";

const options = {
  help: { type: "boolean", short: "h", default: false },
  config: { type: "string" },
  rules: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

export function parseLifecycle(args: readonly string[], surroundings: Surroundings): Command {
  const { values, positionals } = parseStrictly(args);
  if (values.help) return { name: "help" };
  const [bucket, ...more] = positionals;
  if (bucket === undefined || more.length > 0) {
    throw new UsageError(
      "vault lifecycle names one bucket, such as vault lifecycle photos --rules rules.json.",
    );
  }
  return {
    name: "lifecycle",
    config: findVaultFile(values.config, surroundings),
    bucket,
    rulesPath: values.rules ?? null,
    isJson: values.json,
  };
}

function parseStrictly(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.replace(/\.$/, "")}.`);
  }
}
