/** Reads and checks the arguments of `drives ...`. Throws a UsageError. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { driveStates } from "@stashlight/contracts/failure-rate/drive-state";
import type { Surroundings } from "../argument-values.ts";
import type { Command } from "../commands.ts";
import { UsageError } from "../usage-error.ts";

const options = {
  help: { type: "boolean", short: "h", default: false },
  json: { type: "boolean", default: false },
} as const;

export function parseDrives([verb, ...args]: readonly string[], { currentDirectory }: Surroundings): Command {
  if (verb === "--help" || verb === "-h" || verb === "help") return { name: "help" };
  const { values, positionals } = parseStrictly(args);
  if (values.help) return { name: "help" };
  if (verb === "import") {
    if (positionals.length === 0) {
      throw new UsageError("Give the files or the folder of a quarter, such as: drives import data_Q1_2026.");
    }
    const paths = positionals.map((path) => resolve(currentDirectory, path));
    return { name: "drives-import", paths, isJson: values.json };
  }
  if (verb === "list") {
    if (positionals.length > 0) throw new UsageError("drives list takes nothing but --json.");
    return { name: "drives-list", isJson: values.json };
  }
  if (verb === "mark") {
    const [drive, word, ...more] = positionals;
    const state = driveStates.find((each) => each === word);
    if (drive === undefined || state === undefined || more.length > 0) {
      throw new UsageError(
        `drives mark takes a serial number and ${driveStates.slice(0, -1).join(", ")} or ${driveStates.at(-1)}, such as: drives mark ZL2ABC failed.`,
      );
    }
    return { name: "drives-mark", drive, state };
  }
  throw new UsageError("Choose a command: drives import, drives list or drives mark.");
}

function parseStrictly(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.replace(/\.$/, "")}.`);
  }
}
