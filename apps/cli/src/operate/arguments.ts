/** Reads and checks the arguments of commands that change a running vault. All throw a UsageError. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { findVaultFile, type Surroundings } from "../argument-values.ts";
import type { Command, OperateCommand } from "../commands.ts";
import { parseSize } from "../units.ts";
import { UsageError } from "../usage-error.ts";

export type OperateVerb = OperateCommand["name"];

const declared = {
  config: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
  path: { type: "string" },
  address: { type: "string" },
  "keep-drives": { type: "boolean", default: false },
  again: { type: "boolean", default: false },
  "accept-loss": { type: "boolean", default: false },
  rate: { type: "string" },
  lost: { type: "boolean", default: false },
  undo: { type: "boolean", default: false },
  "no-wait": { type: "boolean", default: false },
} as const;

type Option = keyof typeof declared;

const rules: Readonly<
  Record<OperateVerb, { readonly options: readonly Option[]; readonly object: string | null }>
> = {
  "replace-drive": { options: ["path", "no-wait"], object: "a drive, such as p3 or s7" },
  "replace-machine": {
    options: ["address", "keep-drives", "again", "accept-loss", "no-wait"],
    object: "a machine, such as store-1",
  },
  rebuild: { options: ["rate"], object: null },
  "add-coordinator": { options: [], object: "a file that describes the coordinator" },
  "add-stash": { options: [], object: "a file that describes the server" },
  drain: { options: ["undo", "no-wait"], object: "a node" },
  remove: { options: ["lost"], object: "a node" },
};

export const operateVerbs = Object.keys(rules) as OperateVerb[];

const RATE_MIN = 100_000;
const RATE_MAX = 10_000_000_000;

export function parseOperate(
  verb: OperateVerb,
  args: readonly string[],
  surroundings: Surroundings,
): Command {
  const { values, positionals } = parseStrictly(args);
  if (values.help) return { name: "help" };
  const { options, object } = rules[verb];
  const foreign = given(values).find((name) => !options.includes(name));
  if (foreign !== undefined) throw new UsageError(`vault ${verb} has no option --${foreign}.`);
  const [named = "", ...more] = positionals;
  if (object === null ? named !== "" : named === "" || more.length > 0) {
    throw new UsageError(object === null ? `vault ${verb} names nothing.` : `vault ${verb} names ${object}.`);
  }
  const config = findVaultFile(values.config, surroundings);
  const isWaiting = !values["no-wait"];
  switch (verb) {
    case "replace-drive": {
      if (!/^[ps]\d{1,5}$/.test(named))
        throw new UsageError(`A drive has a name such as p3 or s7, and "${named}" is not.`);
      return { name: verb, config, address: named, path: values.path ?? null, isWaiting };
    }
    case "replace-machine":
      return {
        name: verb,
        config,
        machine: named,
        address: values.address ?? null,
        areDrivesKept: values["keep-drives"],
        isAgain: values.again,
        isLossAccepted: values["accept-loss"],
        isWaiting,
      };
    case "rebuild":
      return {
        name: verb,
        config,
        bytesPerSecond: values.rate === undefined ? null : parseByteRate(values.rate),
      };
    case "add-coordinator":
      return { name: verb, config, description: resolve(surroundings.currentDirectory, named) };
    case "add-stash":
      return { name: verb, config, server: resolve(surroundings.currentDirectory, named) };
    case "drain":
      return { name: verb, config, node: named, isUndone: values.undo, isWaiting };
    case "remove":
      return { name: verb, config, node: named, isLost: values.lost };
  }
}

function parseStrictly(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: declared, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.replace(/\.$/, "")}.`);
  }
}

function given(values: ReturnType<typeof parseStrictly>["values"]): Option[] {
  const names = Object.keys(declared) as Option[];
  const isForAll = (name: Option): boolean => name === "config" || name === "help";
  return names.filter((name) => !isForAll(name) && values[name] !== undefined && values[name] !== false);
}

function parseByteRate(text: string): number {
  const bytes = parseSize(text);
  if (bytes !== null && bytes >= RATE_MIN && bytes <= RATE_MAX) return bytes;
  throw new UsageError(
    `--rate must be bytes a second, from 100kB to 10GB, such as 20MB, and "${text}" is not.`,
  );
}
