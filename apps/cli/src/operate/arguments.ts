/** Parses the arguments of commands that change a running vault. All throw a UsageError. */
import { resolve } from "node:path";
import { findVaultFile, isDriveAddress, type Surroundings } from "../argument-values.ts";
import { flag, onlyArgument, parseOptions, text } from "../parse-options.ts";
import { parseSize } from "../units.ts";
import { UsageError } from "../usage-error.ts";

export type ReplaceDriveCommand = ReturnType<typeof parseReplaceDrive>;
export type ReplaceMachineCommand = ReturnType<typeof parseReplaceMachine>;
export type RebuildCommand = ReturnType<typeof parseRebuild>;
export type AddCoordinatorCommand = ReturnType<typeof parseAddCoordinator>;
export type AddStashCommand = ReturnType<typeof parseAddStash>;
export type DrainCommand = ReturnType<typeof parseDrain>;
export type QuarantineCommand = ReturnType<typeof parseQuarantine>;
export type ReleaseCommand = ReturnType<typeof parseRelease>;
export type RemoveCommand = ReturnType<typeof parseRemove>;

const RATE_MIN = 100_000;
const RATE_MAX = 10_000_000_000;

export function parseReplaceDrive(args: readonly string[], surroundings: Surroundings) {
  const options = { config: text, path: text, "no-wait": flag };
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
  const address = onlyArgument(positionals, "vault replace-drive needs a drive, such as p3 or s7.");
  requireDriveAddress(address);
  return {
    name: "replace-drive",
    config: findVaultFile(values.config, surroundings),
    address,
    /** Folder of the new drive; null for the old drive's folder. */
    path: values.path ?? null,
    /** Waits until all pods hold all their shards. */
    isWaiting: !values["no-wait"],
  } as const;
}

function requireDriveAddress(address: string): void {
  if (!isDriveAddress(address))
    throw new UsageError(`A drive must be a name such as p3 or s7; got "${address}".`);
}

export function parseReplaceMachine(args: readonly string[], surroundings: Surroundings) {
  const options = {
    config: text,
    address: text,
    "keep-drives": flag,
    again: flag,
    "accept-loss": flag,
    "no-wait": flag,
  };
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
  return {
    name: "replace-machine",
    config: findVaultFile(values.config, surroundings),
    machine: onlyArgument(positionals, "vault replace-machine needs a machine, such as store-1."),
    /** Address of the new machine; null for the old machine's address. */
    address: values.address ?? null,
    /** True if the drives of the old machine move to the new one. */
    areDrivesKept: values["keep-drives"],
    /** True if the replacement machine was lost as well. */
    isAgain: values.again,
    isLossAccepted: values["accept-loss"],
    isWaiting: !values["no-wait"],
  } as const;
}

export function parseRebuild(args: readonly string[], surroundings: Surroundings) {
  const { values } = parseOptions({ args, options: { config: text, rate: text } });
  return {
    name: "rebuild",
    config: findVaultFile(values.config, surroundings),
    /** Limit for each pod; null keeps the current one. */
    bytesPerSecond: values.rate === undefined ? null : parseByteRate(values.rate),
  } as const;
}

export function parseAddCoordinator(args: readonly string[], surroundings: Surroundings) {
  const { values, positionals } = parseOptions({ args, options: { config: text }, allowPositionals: true });
  const file = onlyArgument(
    positionals,
    "vault add-coordinator needs a file that describes the coordinator.",
  );
  return {
    name: "add-coordinator",
    config: findVaultFile(values.config, surroundings),
    description: resolve(surroundings.currentDirectory, file),
  } as const;
}

export function parseAddStash(args: readonly string[], surroundings: Surroundings) {
  const { values, positionals } = parseOptions({ args, options: { config: text }, allowPositionals: true });
  const file = onlyArgument(positionals, "vault add-stash needs a file that describes the server.");
  return {
    name: "add-stash",
    config: findVaultFile(values.config, surroundings),
    server: resolve(surroundings.currentDirectory, file),
  } as const;
}

export function parseDrain(args: readonly string[], surroundings: Surroundings) {
  const options = { config: text, undo: flag, "no-wait": flag };
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
  return {
    name: "drain",
    config: findVaultFile(values.config, surroundings),
    node: onlyArgument(positionals, "vault drain needs a node."),
    isUndone: values.undo,
    isWaiting: !values["no-wait"],
  } as const;
}

export function parseRemove(args: readonly string[], surroundings: Surroundings) {
  const { values, positionals } = parseOptions({
    args,
    options: { config: text, lost: flag },
    allowPositionals: true,
  });
  return {
    name: "remove",
    config: findVaultFile(values.config, surroundings),
    node: onlyArgument(positionals, "vault remove needs a node."),
    /** True if the server is permanently lost with its content. */
    isLost: values.lost,
  } as const;
}

export const parseQuarantine = (args: readonly string[], surroundings: Surroundings) =>
  parseQuarantineVerb("quarantine", args, surroundings);
export const parseRelease = (args: readonly string[], surroundings: Surroundings) =>
  parseQuarantineVerb("release", args, surroundings);

function parseQuarantineVerb<const Verb extends string>(
  name: Verb,
  args: readonly string[],
  surroundings: Surroundings,
) {
  const options = { config: text, "dry-run": flag };
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
  const address = onlyArgument(positionals, `vault ${name} needs a drive, such as s7.`);
  requireDriveAddress(address);
  return {
    name,
    config: findVaultFile(values.config, surroundings),
    address,
    /** Shows the cost and changes nothing. */
    isDryRun: values["dry-run"],
  };
}

function parseByteRate(text: string): number {
  const bytes = parseSize(text);
  if (bytes !== null && bytes >= RATE_MIN && bytes <= RATE_MAX) return bytes;
  throw new UsageError(`--rate must be bytes per second, from 100kB to 10GB, such as 20MB; got "${text}".`);
}
