/** `vault replace-drive`: an empty drive takes the place of another, while the vault runs. */
import { randomBytes } from "node:crypto";
import { VaultFileError } from "@stashlight/node-runtime/config";
import type { Screen } from "../screen.ts";
import type { DriveReport } from "../status/report.ts";
import { readStatus } from "../status/status.ts";
import type { ReplaceDriveCommand } from "./arguments.ts";
import { driveAt, withReplacedDrive } from "./next-epoch.ts";
import { followRebuild } from "./rebuild.ts";
import { change, findRunningVault } from "./running-vault.ts";

/** Resolves to the exit code. */
export async function replaceDrive(
  { config, address, path, isWaiting }: ReplaceDriveCommand,
  screen: Screen,
  interrupted: AbortSignal,
): Promise<number> {
  const vault = await findRunningVault(config);
  const { node, drive } = driveAt(vault.epoch, address);
  const place = path ?? drive.path;
  const { pods, stash } = await readStatus(config);
  const isPod = node.role === "pod";
  const index = Number(address.slice(1));
  const current = (isPod ? pods : stash).find((report) => report.index === index);
  if (current !== undefined && IN_USE.has(current.state) && place === drive.path) {
    // Repeats a change that is done, or still in progress.
    screen.say(`The drive of ${address} at ${drive.path} is in use (${current.state}).`);
    if (path === null)
      screen.say(
        "To replace it while it works, mount the new drive elsewhere, and name that folder with --path.",
      );
  } else {
    if (isPod) refuseThinRedundancy(pods, index, vault.access.file.scheme.parityShardCount);
    const driveId = randomBytes(16).toString("hex");
    const next = withReplacedDrive(vault.epoch, address, { driveId, path: place });
    const note = { action: "drive.replace", drive: address } as const;
    await change(vault, next, [node.id], screen.say, { note });
    screen.say(`${address} is drive ${driveId} at ${place} on ${node.id}, which formats it.`);
  }
  if (!isPod || !isWaiting) return 0;
  return (await followRebuild(config, screen, interrupted)) ? 0 : 1;
}

const IN_USE: ReadonlySet<string> = new Set([
  "opening",
  "recovering",
  "replaying",
  "comparing",
  "settled",
  "serving",
]);

/** While m pods lack shards, the loss of another drive would make objects unreadable. */
function refuseThinRedundancy(pods: readonly DriveReport[], index: number, parityShardCount: number): void {
  const lacking = pods.filter(
    (pod) => pod.index !== index && (!pod.isWell || (pod.missing?.shardCount ?? 0) > 0),
  );
  if (lacking.length < parityShardCount) return;
  const names = lacking.map((pod) => `p${pod.index}`).join(", ");
  throw new VaultFileError(
    `${names} lack shards or are away, and an upload can spare ${parityShardCount}: wait until they are rebuilt (npm run stashlight -- vault rebuild).`,
  );
}
