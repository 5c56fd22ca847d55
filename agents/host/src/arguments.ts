import { parseArgs } from "node:util";
import { nodeNameSchema } from "@stashlight/contracts/node";

export type Medium = "ssd" | "hdd";

export interface FsyncFolder {
  readonly folder: string;
  /** Null to look up the drive in the kernel. */
  readonly medium: Medium | null;
}

export interface HostArguments {
  readonly ingest: string;
  readonly name: string;
  readonly stateFolder: string;
  /** Folders on which syncs are timed. */
  readonly fsyncFolders: readonly FsyncFolder[];
  /** File that names the stores whose metrics are read. */
  readonly scrapeFile: string | null;
  readonly caFile: string | null;
  readonly enrolmentTokenFile: string | null;
}

const usage =
  "main.ts --ingest URL --name NAME --state FOLDER [--fsync FOLDER ...] [--scrape FILE] [--ca FILE] [--enrolment-token-file FILE]";

/** Limit because each folder has its own thread. */
const FSYNC_FOLDERS_MAX = 32;

/** Mistake in the command line or a file that it names, with a message for the user. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
}

export function parseArguments(args: readonly string[]): HostArguments {
  const values = read(args);
  const need = (option: "ingest" | "name" | "state"): string => {
    const value = values[option];
    if (value === undefined) throw new ArgumentError(`--${option} is missing: ${usage}.`);
    return value;
  };
  const ingest = URL.parse(need("ingest"));
  if (ingest === null || !/^https?:$/.test(ingest.protocol) || ingest.pathname !== "/") {
    throw new ArgumentError(
      `--ingest is an address such as https://ingest.example.org, not ${values.ingest}.`,
    );
  }
  const name = nodeNameSchema.safeParse(need("name"));
  if (!name.success) throw new ArgumentError(`--name: ${name.error.issues[0]?.message}`);
  const folders = values.fsync ?? [];
  if (folders.length > FSYNC_FOLDERS_MAX) {
    throw new ArgumentError(`--fsync is given at most ${FSYNC_FOLDERS_MAX} times, not ${folders.length}.`);
  }
  return {
    ingest: ingest.origin,
    name: name.data,
    stateFolder: need("state"),
    fsyncFolders: folders.map(parseFsyncFolder),
    scrapeFile: values.scrape ?? null,
    caFile: values.ca ?? null,
    enrolmentTokenFile: values["enrolment-token-file"] ?? null,
  };
}

/** "/srv/ssd0", or "/tank=ssd" if the kernel does not know the drive. */
function parseFsyncFolder(text: string): FsyncFolder {
  const [, folder = "", medium] = /^(.*?)(?:=(ssd|hdd))?$/s.exec(text) ?? [];
  if (folder.startsWith("/")) return { folder, medium: (medium as Medium | undefined) ?? null };
  throw new ArgumentError(`--fsync must be an absolute path, such as /srv/ssd0 or /tank=ssd, not ${text}.`);
}

function read(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        ingest: text,
        name: text,
        state: text,
        ca: text,
        scrape: text,
        "enrolment-token-file": text,
        fsync: { type: "string", multiple: true },
      },
    }).values;
  } catch (error) {
    throw new ArgumentError(`${(error as Error).message} ${usage}.`);
  }
}
