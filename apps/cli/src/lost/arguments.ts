/** Reads and checks the arguments of `vault lost` and `vault give-up`. All throw a UsageError. */
import { parseArgs } from "node:util";
import { parseObjectName } from "@stashlight/contracts/object-location/name";
import { findVaultFile, findVaultFiles, type Surroundings } from "../argument-values.ts";
import type { Command } from "../commands.ts";
import { UsageError } from "../usage-error.ts";

const help = { type: "boolean", short: "h", default: false } as const;
const ofLost = {
  help,
  config: { type: "string", multiple: true },
  json: { type: "boolean", default: false },
} as const;
const ofGiveUp = { help, config: { type: "string" }, yes: { type: "boolean", default: false } } as const;

export function parseLost(args: readonly string[], surroundings: Surroundings): Command {
  const values = parseStrictly(() => parseArgs({ args: [...args], options: ofLost }).values);
  if (values.help) return { name: "help" };
  return { name: "lost", ...findVaultFiles(values.config, surroundings), isJson: values.json };
}

export function parseGiveUp(args: readonly string[], surroundings: Surroundings): Command {
  const { values, positionals } = parseStrictly(() =>
    parseArgs({ args: [...args], options: ofGiveUp, allowPositionals: true }),
  );
  if (values.help) return { name: "help" };
  const [named, ...more] = positionals;
  const object = named === undefined || more.length > 0 ? null : parseObjectName(named);
  if (object === null) {
    throw new UsageError(
      "vault give-up names one object as BUCKET/KEY, such as photos/2026/cat.jpg; quote a key with spaces.",
    );
  }
  return {
    name: "give-up",
    config: findVaultFile(values.config, surroundings),
    ...object,
    isConfirmed: values.yes,
  };
}

function parseStrictly<Parsed>(parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(`${(error as Error).message.replace(/\.$/, "")}.`);
  }
}
