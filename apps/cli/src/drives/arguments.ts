/** Parses the arguments of `drives ...`. Throws a UsageError. */
import { resolve } from "node:path";
import { driveStates } from "@stashlight/contracts/failure-rate";
import type { Surroundings } from "../argument-values.ts";
import { flag, parseOptions } from "../parse-options.ts";
import { UsageError } from "../usage-error.ts";

export type DrivesCommand = ReturnType<typeof parseDrives>;

export function parseDrives([verb, ...args]: readonly string[], { currentDirectory }: Surroundings) {
  const { values, positionals } = parseOptions({ args, options: { json: flag }, allowPositionals: true });
  if (verb === "import") {
    if (positionals.length === 0) {
      throw new UsageError("Give the files or the folder of a quarter, such as: drives import data_Q1_2026.");
    }
    const paths = positionals.map((path) => resolve(currentDirectory, path));
    return { name: "drives-import", paths, isJson: values.json } as const;
  }
  if (verb === "list") {
    if (positionals.length > 0) throw new UsageError("drives list takes only --json.");
    return { name: "drives-list", isJson: values.json } as const;
  }
  if (verb === "mark") {
    // The drive is named by its serial number or its id.
    const [drive, word, ...more] = positionals;
    const state = driveStates.find((each) => each === word);
    if (drive === undefined || state === undefined || more.length > 0) {
      throw new UsageError(
        `drives mark takes a serial number and ${driveStates.slice(0, -1).join(", ")} or ${driveStates.at(-1)}, such as: drives mark ZL2ABC failed.`,
      );
    }
    return { name: "drives-mark", drive, state } as const;
  }
  throw new UsageError("Choose a command: drives import, drives list or drives mark.");
}
