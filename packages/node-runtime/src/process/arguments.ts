import { statSync } from "node:fs";
import { parseArgs } from "node:util";
import { loadVaultFile, type VaultFile, VaultFileError, type VaultNode } from "../config/index.ts";
import { defaultIndexPages, type IndexPagesOptions } from "../drive/index-pages.ts";

export interface AgentArguments {
  /** The path of the vault's file. */
  readonly path: string;
  readonly file: VaultFile;
  /** Further vaults behind the endpoint of the nodes' coordinators. */
  readonly furtherFiles: readonly VaultFile[];
  readonly furtherPaths: readonly string[];
  readonly nodes: readonly VaultNode[];
  /** Requested nodes that have since left the vault; their process may hold other nodes. */
  readonly departed: readonly string[];
  readonly mayFormat: boolean;
  /** Allows faults to be set on drives in use (drive/fault-disk.ts). */
  readonly isDrill: boolean;
  /** A supervisor starts the process again when it ends, so it may be asked to restart (planned-restart.ts). */
  readonly isSupervised: boolean;
  /** Memory that the index of the process's pods may fill; null for the machine's memory. */
  readonly indexMemoryBytes: number | null;
  readonly indexPages: IndexPagesOptions;
  /** File in which `npm start` keeps the state of its processes; null if they are supervised otherwise. */
  readonly partsFile: string | null;
  /** Returns the file with the token with which nodes of this role enrol for telemetry if they have no key yet. */
  readonly enrolmentTokenFileOf: (role: VaultNode["role"]) => string | null;
  /** Token files for the coordinators of each further vault, which has its own tokens. */
  readonly furtherTokenFiles: readonly (string | null)[];
}

export const AGENT_USAGE = `Runs nodes of a vault in one process.

  --config FILE                 The vault's file. Repeated for the further vaults behind a coordinator's endpoint.
  --node ID                     A node of the vault. Repeated for several, which fail together.
  --format                      Formats drives whose folders are empty.
  --drill                       Accepts faults of drives over the admin pages.
  --supervised                  A supervisor starts the process again when it ends, so vault restart may end it.
  --index-memory MIB            Memory that the process may take. From about three quarters of it on, its pods accept
                                no new objects. Default: what is free.
  --index-cache MIB             Memory for the index of each pod's drive. What does not fit is in a file on the
                                drive. Default: 16.
  --index-folder FOLDER         Folder on an SSD for these files of all drives, instead of the drives themselves.
  --parts FILE                  File in which npm start keeps the state of its processes.
  --enrolment-token-file [[VAULT:]ROLE=]FILE
                                Token with which nodes without a key enrol for telemetry. Repeated for several roles.
`;

export const AGENT_OPTIONS = {
  config: { type: "string", multiple: true },
  node: { type: "string", multiple: true },
  format: { type: "boolean", default: false },
  drill: { type: "boolean", default: false },
  supervised: { type: "boolean", default: false },
  "index-memory": { type: "string" },
  "index-cache": { type: "string" },
  "index-folder": { type: "string" },
  parts: { type: "string" },
  "enrolment-token-file": { type: "string", multiple: true },
} as const;

/** Parses the arguments that AGENT_USAGE lists. Throws a VaultFileError that explains a wrong one. */
export function parseAgentArguments(args: readonly string[]): AgentArguments {
  const {
    config: configs = [],
    node: ids,
    format,
    drill,
    supervised,
    parts,
    ...options
  } = parseOptions(args);
  const [config, ...further] = configs;
  if (config === undefined)
    throw new VaultFileError("--config FILE is missing: the file that describes the vault.");
  if (ids === undefined)
    throw new VaultFileError("--node ID is missing: the node of the vault that this process runs.");
  const file = loadVaultFile(config);
  const { nodes, departed } = nodesIn(file, ids, config);
  const { ofRole, ofFurther } = parseTokenFiles(options["enrolment-token-file"] ?? []);
  const furtherFiles = further.map(loadVaultFile);
  checkNames([file, ...furtherFiles]);
  return {
    path: config,
    file,
    furtherPaths: further,
    furtherFiles,
    nodes,
    departed,
    mayFormat: format,
    isDrill: drill,
    isSupervised: supervised,
    indexMemoryBytes: parseIndexMemory(options["index-memory"]),
    indexPages: parseIndexPages(options["index-cache"], options["index-folder"]),
    partsFile: parts ?? null,
    enrolmentTokenFileOf: ofRole,
    furtherTokenFiles: furtherFiles.map(ofFurther),
  };
}

const MIB = 1_048_576;

/** Minimum of --index-memory: an empty process takes half of it, and requests in progress need the rest. */
const INDEX_MEMORY_MIB_MIN = 128;

function parseIndexMemory(mib: string | undefined): number | null {
  return mib === undefined ? null : parseMib("--index-memory", mib, INDEX_MEMORY_MIB_MIN, 4096);
}

/** Minimum of --index-cache: 128 pages, more than nearly all operations use. */
const INDEX_CACHE_MIB_MIN = 1;

function parseIndexPages(mib: string | undefined, folder: string | undefined): IndexPagesOptions {
  const heldBytesMax =
    mib === undefined
      ? defaultIndexPages.heldBytesMax
      : parseMib("--index-cache", mib, INDEX_CACHE_MIB_MIN, 64);
  if (folder === undefined) return { ...defaultIndexPages, heldBytesMax };
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return { heldBytesMax, folder };
  throw new VaultFileError(`--index-folder ${folder}: there is no such folder.`);
}

/** Parses an option in MiB, and returns bytes. */
function parseMib(option: string, mib: string, minimum: number, example: number): number {
  if (/^[1-9]\d{0,8}$/.test(mib) && Number(mib) >= minimum) return Number(mib) * MIB;
  throw new VaultFileError(
    `${option} ${mib}: a whole number of MiB of at least ${minimum} is expected, such as ${example}.`,
  );
}

/** No node can have left before the second epoch, so an unknown name is a mistake in the first one. */
function nodesIn(
  file: VaultFile,
  ids: readonly string[],
  config: string,
): Pick<AgentArguments, "nodes" | "departed"> {
  const named = [...new Set(ids)];
  const nodes = named.flatMap((id) => file.nodes.find((candidate) => candidate.id === id) ?? []);
  const departed = named.filter((id) => !nodes.some((node) => node.id === id));
  const [first] = departed;
  if (first === undefined || file.epoch > 1) return { nodes, departed };
  const known = file.nodes.map(({ id }) => id).join(", ");
  throw new VaultFileError(`--node ${first}: ${config} has no node of that name; it has ${known}.`);
}

/** The code distinguishes vaults by their ids, but operators and the console by their names. */
function checkNames(files: readonly VaultFile[]): void {
  for (const [at, { clusterId, name }] of files.entries()) {
    const same = files.slice(0, at).find((file) => file.clusterId === clusterId || file.name === name);
    if (same === undefined) continue;
    throw new VaultFileError(
      same.clusterId === clusterId
        ? `--config: the vault ${name} is named twice.`
        : `--config: two vaults are called ${name}; each vault behind an endpoint needs a name of its own.`,
    );
  }
}

interface TokenFiles {
  readonly ofRole: AgentArguments["enrolmentTokenFileOf"];
  readonly ofFurther: (file: Pick<VaultFile, "name">) => string | null;
}

/**
 * `FILE` is for nodes of every role without a file of its own, `ROLE=FILE` for one role, and `VAULT:coordinator=FILE`
 * for the coordinators of a further vault, which accepts no other vault's token.
 */
function parseTokenFiles(values: readonly string[]): TokenFiles {
  const byRole = new Map(
    values.map((value) => {
      const [, role = "any", path = ""] =
        /^(?:((?:[a-z0-9.-]+:)?(?:pod|stash|coordinator))=)?(.*)$/s.exec(value) ?? [];
      return [role, path];
    }),
  );
  return {
    ofRole: (role) => byRole.get(role) ?? byRole.get("any") ?? null,
    ofFurther: ({ name }) => byRole.get(`${name}:coordinator`) ?? null,
  };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: AGENT_OPTIONS,
    }).values;
  } catch (error) {
    throw new VaultFileError(`${(error as Error).message.replace(/\.$/, "")}.`);
  }
}
