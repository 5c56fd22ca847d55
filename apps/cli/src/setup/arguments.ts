/** Arguments of the commands that create a vault of several machines. All throw a UsageError. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Surroundings } from "../argument-values.ts";
import type { BundleCommand, Command, CreateCommand, JoinCommand, RenewCommand } from "../commands.ts";
import { UsageError } from "../usage-error.ts";

/** Folder of a machine's data about its vault. */
const MACHINE_FOLDER = "/var/lib/stashlight";

const help = { type: "boolean", short: "h", default: false } as const;
const folder = { type: "string" } as const;

export function parseSetup(
  verb: "create" | "bundle" | "renew" | "join" | "run",
  args: readonly string[],
  { currentDirectory }: Surroundings,
): Command {
  const at = (path: string): string => resolve(currentDirectory, path);
  switch (verb) {
    case "create":
      return parseCreate(args, at);
    case "bundle":
      return parseBundle(args, at);
    case "renew":
      return parseRenew(args, at);
    case "join":
      return parseJoin(args, at);
    case "run": {
      const { values } = strictly(() => parseArgs({ args: [...args], options: { folder, help } }));
      return values.help ? { name: "help" } : { name: "run", folder: at(values.folder ?? MACHINE_FOLDER) };
    }
  }
}

type At = (path: string) => string;

function parseCreate(args: readonly string[], at: At): CreateCommand | { name: "help" } {
  const options = { folder, help, "accept-weak": { type: "boolean", default: false } } as const;
  const { values, positionals } = strictly(() =>
    parseArgs({ args: [...args], options, allowPositionals: true }),
  );
  if (values.help) return { name: "help" };
  const layout = only(positionals, "vault create needs the layout, such as: vault create photos.yaml.");
  return {
    name: "create",
    layout: at(layout),
    folder: values.folder === undefined ? null : at(values.folder),
    isWeakAccepted: values["accept-weak"],
  };
}

function parseBundle(args: readonly string[], at: At): BundleCommand | { name: "help" } {
  const { values, positionals } = strictly(() =>
    parseArgs({ args: [...args], options: { folder, help }, allowPositionals: true }),
  );
  if (values.help) return { name: "help" };
  const machine = only(positionals, "vault bundle needs the name of a machine, such as: vault bundle hdd-1.");
  return { name: "bundle", machine, folder: requireSetupFolder(values.folder, at) };
}

function parseRenew(args: readonly string[], at: At): RenewCommand | { name: "help" } {
  const options = { folder, help, keys: { type: "boolean", default: false } } as const;
  const { values } = strictly(() => parseArgs({ args: [...args], options }));
  if (values.help) return { name: "help" };
  return { name: "renew", folder: requireSetupFolder(values.folder, at), hasNewKeys: values.keys };
}

function requireSetupFolder(text: string | undefined, at: At): string {
  if (text !== undefined) return at(text);
  throw new UsageError("--folder must be the folder that vault create wrote.");
}

function parseJoin(args: readonly string[], at: At): JoinCommand | { name: "help" } {
  const options = {
    folder,
    help,
    token: { type: "string", multiple: true },
    user: { type: "string" },
    run: { type: "boolean", default: false },
    "no-start": { type: "boolean", default: false },
  } as const;
  const { values, positionals } = strictly(() =>
    parseArgs({ args: [...args], options, allowPositionals: true }),
  );
  if (values.help) return { name: "help" };
  const bundle = only(
    positionals,
    "vault join needs the bundle of this machine, such as: vault join hdd-1.bundle.",
  );
  if (values.run && values["no-start"]) throw new UsageError("--run and --no-start exclude each other.");
  return {
    name: "join",
    bundle: at(bundle),
    folder: at(values.folder ?? MACHINE_FOLDER),
    tokens: Object.fromEntries((values.token ?? []).map(parseRoleToken)),
    user: values.user ?? null,
    start: values.run ? "here" : values["no-start"] ? "not" : "service",
  };
}

function parseRoleToken(text: string): [string, string] {
  const [, role, token] = /^(pod|stash|coordinator)=(sle_[A-Za-z0-9_-]{43})$/.exec(text) ?? [];
  if (role !== undefined && token !== undefined) return [role, token];
  throw new UsageError(
    "--token must be a role and a token of Manage > Nodes, such as pod=sle_..., and may be given for each role.",
  );
}

function only(positionals: readonly string[], otherwise: string): string {
  const [first, ...more] = positionals;
  if (first !== undefined && more.length === 0) return first;
  throw new UsageError(otherwise);
}

function strictly<Parsed>(parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    const [sentence = ""] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(`${sentence.replace(/\.$/, "")}; npm run stashlight -- --help lists the options.`);
  }
}
