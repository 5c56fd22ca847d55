import { parseArgs } from "node:util";
import {
  ArgumentError,
  type MachineAgentArguments,
  machineAgentOptions,
  parseMachineAgent,
} from "@stashlight/contracts/machine-agent";

export { ArgumentError };

export type Medium = "ssd" | "hdd";

export interface FsyncFolder {
  readonly folder: string;
  /** Null to look up the drive in the kernel. */
  readonly medium: Medium | null;
}

export interface HostArguments extends MachineAgentArguments {
  /** Folders on which syncs are timed. */
  readonly fsyncFolders: readonly FsyncFolder[];
  /** File that names the stores whose metrics are read. */
  readonly scrapeFile: string | null;
}

const usage =
  "main.ts --ingest URL --name NAME --state FOLDER [--fsync FOLDER ...] [--scrape FILE] [--ca FILE] [--enrolment-token-file FILE]";

/** Limited because each folder has its own thread. */
const FSYNC_FOLDERS_MAX = 32;

const options = {
  ...machineAgentOptions,
  scrape: { type: "string" },
  fsync: { type: "string", multiple: true },
} as const;

export function parseArguments(args: readonly string[]): HostArguments {
  const { values, agent } = parseMachineAgent(usage, () => parseArgs({ args: [...args], options }).values);
  const folders = values.fsync ?? [];
  if (folders.length > FSYNC_FOLDERS_MAX) {
    throw new ArgumentError(`--fsync is given at most ${FSYNC_FOLDERS_MAX} times, not ${folders.length}.`);
  }
  return { ...agent, fsyncFolders: folders.map(parseFsyncFolder), scrapeFile: values.scrape ?? null };
}

/** "/srv/ssd0", or "/tank=ssd" if the kernel does not know the drive. */
function parseFsyncFolder(text: string): FsyncFolder {
  const [, folder = "", medium] = /^(.*?)(?:=(ssd|hdd))?$/s.exec(text) ?? [];
  if (folder.startsWith("/")) return { folder, medium: (medium as Medium | undefined) ?? null };
  throw new ArgumentError(`--fsync must be an absolute path, such as /srv/ssd0 or /tank=ssd, not ${text}.`);
}
