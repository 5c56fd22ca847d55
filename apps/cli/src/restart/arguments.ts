/** Reads and checks the arguments of `vault restart`. All throw a UsageError. */
import { parseArgs } from "node:util";
import { findVaultFile, parseInteger, type Surroundings } from "../argument-values.ts";
import type { Command } from "../commands.ts";
import { UsageError } from "../usage-error.ts";

const declared = {
  config: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
  rolling: { type: "boolean", default: false },
  "accept-weak": { type: "boolean", default: false },
  notice: { type: "string", default: "10" },
  fresh: { type: "boolean", default: false },
} as const;

const NOTICE_SECONDS_MAX = 120;

export function parseRestart(args: readonly string[], surroundings: Surroundings): Command {
  const { values, positionals } = parseStrictly(args);
  if (values.help) return { name: "help" };
  const [machine = null, ...more] = positionals;
  if (more.length > 0 || (machine === null) !== values.rolling) {
    throw new UsageError(
      "vault restart takes --rolling for all machines one after the other, or the name of one machine, such as store-1.",
    );
  }
  if (values.fresh && machine !== null) throw new UsageError("--fresh goes with --rolling.");
  return {
    name: "restart",
    config: findVaultFile(values.config, surroundings),
    machine,
    isWeakAccepted: values["accept-weak"],
    noticeMs: 1000 * parseInteger("--notice", values.notice, NOTICE_SECONDS_MAX),
    isFresh: values.fresh,
  };
}

function parseStrictly(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: declared, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.replace(/\.$/, "")}.`);
  }
}
