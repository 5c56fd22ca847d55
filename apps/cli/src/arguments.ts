/** Parses the command line. All functions throw a UsageError. */
import type { Surroundings } from "./argument-values.ts";
import { parseBench } from "./bench/arguments.ts";
import { parseDisk } from "./disk/arguments.ts";
import { parseDrill } from "./drill/arguments.ts";
import { parseDrives } from "./drives/arguments.ts";
import { parseEncryption } from "./encryption/arguments.ts";
import { parseKeys } from "./keys/arguments.ts";
import { parseLifecycle } from "./lifecycle/arguments.ts";
import { parseLoad } from "./load/arguments.ts";
import { parseGiveUp, parseLost } from "./lost/arguments.ts";
import {
  parseAddCoordinator,
  parseAddStash,
  parseDrain,
  parseQuarantine,
  parseRebuild,
  parseRelease,
  parseRemove,
  parseReplaceDrive,
  parseReplaceMachine,
} from "./operate/arguments.ts";
import { parsePlan } from "./plan/arguments.ts";
import { parseRestart } from "./restart/arguments.ts";
import { parseScrub } from "./scrub/arguments.ts";
import { parseBundle, parseCreate, parseJoin, parseRenew, parseRun } from "./setup/arguments.ts";
import { parseStatus } from "./status/arguments.ts";
import { UsageError } from "./usage-error.ts";
import { parseVerify } from "./verify/arguments.ts";

const vaultVerbs = {
  status: parseStatus,
  load: parseLoad,
  verify: parseVerify,
  scrub: parseScrub,
  lost: parseLost,
  lifecycle: parseLifecycle,
  "give-up": parseGiveUp,
  encryption: parseEncryption,
  drill: parseDrill,
  keys: parseKeys,
  create: parseCreate,
  bundle: parseBundle,
  renew: parseRenew,
  join: parseJoin,
  run: parseRun,
  restart: parseRestart,
  "replace-drive": parseReplaceDrive,
  "replace-machine": parseReplaceMachine,
  rebuild: parseRebuild,
  "add-coordinator": parseAddCoordinator,
  "add-stash": parseAddStash,
  drain: parseDrain,
  remove: parseRemove,
  quarantine: parseQuarantine,
  release: parseRelease,
};
const subjects = { plan: parsePlan, bench: parseBench, drives: parseDrives, disk: parseDisk };

export type Command = ReturnType<typeof parseCommand>;

export function parseCommand(args: readonly string[], surroundings: Surroundings) {
  const [subject, verb, ...rest] = args;
  const isHelp = subject === "help" || verb === "help" || args.includes("--help") || args.includes("-h");
  if (subject === undefined || isHelp) return { name: "help" } as const;
  if (isKeyOf(subjects, subject)) return subjects[subject](args.slice(1), surroundings);
  if (subject !== "vault") {
    throw new UsageError(`There is no command "${subject}"; npm run stashlight -- --help lists them.`);
  }
  if (isKeyOf(vaultVerbs, verb)) return vaultVerbs[verb](rest, surroundings);
  const names = Object.keys(vaultVerbs);
  const stray = verb === undefined ? "" : `; "${verb}" is not one of them`;
  throw new UsageError(
    `Choose one of ${names.slice(0, -1).join(", ")} or ${names.at(-1)} for vault${stray}.`,
  );
}

const isKeyOf = <Table extends object>(table: Table, key: string | undefined): key is string & keyof Table =>
  key !== undefined && Object.hasOwn(table, key);
