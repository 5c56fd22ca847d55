/** Parses the arguments of the commands that create a vault of several machines. All throw a UsageError. */
import { resolve } from "node:path";
import type { Surroundings } from "../argument-values.ts";
import { flag, onlyArgument, parseOptions, text, texts } from "../parse-options.ts";
import { UsageError } from "../usage-error.ts";

export type CreateCommand = ReturnType<typeof parseCreate>;
export type BundleCommand = ReturnType<typeof parseBundle>;
export type RenewCommand = ReturnType<typeof parseRenew>;
export type JoinCommand = ReturnType<typeof parseJoin>;
export type RunCommand = ReturnType<typeof parseRun>;

/** Folder of a machine's data about its vault. */
const MACHINE_FOLDER = "/var/lib/stashlight";

export function parseCreate(args: readonly string[], { currentDirectory }: Surroundings) {
  const options = { folder: text, "accept-weak": flag };
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
  const layout = onlyArgument(
    positionals,
    "vault create needs the layout, such as: vault create photos.yaml.",
  );
  return {
    name: "create",
    layout: resolve(currentDirectory, layout),
    /** Null for a folder here, named after the vault. */
    folder: values.folder === undefined ? null : resolve(currentDirectory, values.folder),
    /** Creates the vault although the loss of a single machine would break its guarantees. */
    isWeakAccepted: values["accept-weak"],
  } as const;
}

export function parseBundle(args: readonly string[], surroundings: Surroundings) {
  const { values, positionals } = parseOptions({ args, options: { folder: text }, allowPositionals: true });
  const machine = onlyArgument(
    positionals,
    "vault bundle needs the name of a machine, such as: vault bundle hdd-1.",
  );
  return { name: "bundle", machine, folder: requireSetupFolder(values.folder, surroundings) } as const;
}

export function parseRenew(args: readonly string[], surroundings: Surroundings) {
  const { values } = parseOptions({ args, options: { folder: text, keys: flag } });
  const folder = requireSetupFolder(values.folder, surroundings);
  return { name: "renew", folder, hasNewKeys: values.keys } as const;
}

function requireSetupFolder(folder: string | undefined, { currentDirectory }: Surroundings): string {
  if (folder !== undefined) return resolve(currentDirectory, folder);
  throw new UsageError("--folder must be the folder that vault create wrote.");
}

export function parseJoin(args: readonly string[], { currentDirectory }: Surroundings) {
  const options = { folder: text, token: texts, user: text, run: flag, "no-start": flag };
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
  const bundle = onlyArgument(
    positionals,
    "vault join needs the bundle of this machine, such as: vault join hdd-1.bundle.",
  );
  if (values.run && values["no-start"]) throw new UsageError("--run and --no-start cannot be combined.");
  const tokens: Partial<Record<TokenRole, string>> = Object.fromEntries(
    (values.token ?? []).map(parseRoleToken),
  );
  return {
    name: "join",
    bundle: resolve(currentDirectory, bundle),
    folder: resolve(currentDirectory, values.folder ?? MACHINE_FOLDER),
    tokens,
    /** Null for stashlight, or for root if there is no systemd. */
    user: values.user ?? null,
    /** `service` with systemd; `here` runs the nodes in the foreground. */
    start: values.run ? "here" : values["no-start"] ? "not" : "service",
  } as const;
}

export function parseRun(args: readonly string[], { currentDirectory }: Surroundings) {
  const { values } = parseOptions({ args, options: { folder: text } });
  return { name: "run", folder: resolve(currentDirectory, values.folder ?? MACHINE_FOLDER) } as const;
}

type TokenRole = "pod" | "stash" | "coordinator";

function parseRoleToken(text: string): [string, string] {
  const [, role, token] = /^(pod|stash|coordinator)=(sle_[A-Za-z0-9_-]{43})$/.exec(text) ?? [];
  if (role !== undefined && token !== undefined) return [role, token];
  throw new UsageError(
    "--token must be a role and a token of Manage > Nodes, such as pod=sle_..., and may be given for each role.",
  );
}
