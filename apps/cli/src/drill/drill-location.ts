/** Location of a drill: a temporary vault, or an existing one that is not running. */
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Screen } from "../screen.ts";
import { openVault, type VaultAccess } from "../vault/access.ts";
import { retryWhileUnavailable } from "../vault/retry-requests.ts";
import { Agents } from "./agents.ts";
import { createTemporaryVault, type VaultShape } from "./temporary-vault.ts";

export interface DrillSurroundings {
  readonly projectDirectory: string;
  /** Parent folder of the drill's vault. */
  readonly parentFolder: string;
  readonly screen: Screen;
  readonly interrupted: AbortSignal;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Replaces the default layout of the drill's vault. */
  readonly shape?: VaultShape;
}

export interface DrillPlace {
  readonly vault: VaultAccess;
  /** The agents are not started yet; the drill stops them at its end. */
  readonly agents: Agents;
}

type Drill = (place: DrillPlace) => Promise<number>;

/** Resolves to the drill's exit code. Removes a temporary vault on 0, and keeps it as evidence otherwise. */
export async function inVault(
  config: string | null,
  usualShape: VaultShape,
  surroundings: DrillSurroundings,
  drill: Drill,
): Promise<number> {
  const { projectDirectory, parentFolder, screen, shape = usualShape } = surroundings;
  if (config !== null) {
    const logFolder = join(dirname(config), "drill-logs");
    return await withAgents({ projectDirectory, config, logFolder, mayFormat: false }, drill);
  }
  const made = await createTemporaryVault(parentFolder, shape);
  let exitCode = 1;
  try {
    const logFolder = join(made.folder, "logs");
    exitCode = await withAgents({ projectDirectory, config: made.config, logFolder, mayFormat: true }, drill);
  } finally {
    if (exitCode === 0) rmSync(made.folder, { recursive: true });
    else screen.say(`The vault of the drill and its logs are kept in ${made.folder}.`);
  }
  return exitCode;
}

interface AgentsPlace {
  readonly projectDirectory: string;
  readonly config: string;
  readonly logFolder: string;
  readonly mayFormat: boolean;
}

async function withAgents({ config, ...options }: AgentsPlace, drill: Drill): Promise<number> {
  const vault = openVault(config);
  const agents = new Agents({ ...options, vault });
  try {
    return await drill({ vault, agents });
  } finally {
    await agents.stop();
  }
}

/** Creates the bucket unless it exists, while the vault may still report that it is busy. */
export async function prepareBucket(vault: VaultAccess, bucket: string): Promise<void> {
  const client = vault.createClient(1);
  try {
    await retryWhileUnavailable(() => client.ensureBucket(bucket));
  } finally {
    client.close();
  }
}
