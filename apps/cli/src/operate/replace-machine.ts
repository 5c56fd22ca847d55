/**
 * `vault replace-machine`: another machine replaces a lost one, with the same nodes.
 *
 *   notes   drives of the new machine, in replaced-MACHINE.json     a repetition reuses them
 *   epoch   the nodes at their new place, with these drives         the old machine is kept out from here on
 *   bundle  for the new machine                                     until it joins, its pods count as silent
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  parseVaultFile,
  type VaultEpoch,
  VaultFileError,
  type VaultNode,
  writeSecretFile,
} from "@stashlight/node-runtime/config";
import { askAdmin } from "@stashlight/node-runtime/durability";
import {
  bundleMachine,
  isSetupFolder,
  machineNames,
  nodesOfMachine,
  openSetupFolder,
} from "@stashlight/vault-setup";
import { z } from "zod";
import type { Screen } from "../screen.ts";
import type { DriveReport } from "../status/report.ts";
import { readStatus } from "../status/status.ts";
import type { ReplaceMachineCommand } from "./arguments.ts";
import { withReplacedMachine } from "./next-epoch.ts";
import { followRebuild } from "./rebuild.ts";
import { change, findRunningVault, type RunningVault } from "./running-vault.ts";

/** Drive ids by address, such as p3; empty if the old drives move to the new machine. */
const noteSchema = z.strictObject({
  address: z.string().nullable(),
  driveIds: z.record(z.string(), z.string()),
});
type Note = z.output<typeof noteSchema>;

/** Resolves to the exit code. */
export async function replaceMachine(
  { config, machine, address, areDrivesKept, isAgain, isLossAccepted, isWaiting }: ReplaceMachineCommand,
  screen: Screen,
  interrupted: AbortSignal,
): Promise<number> {
  const folder = dirname(config);
  if (!isSetupFolder(folder)) {
    throw new VaultFileError(
      `${folder} is not the folder that vault create wrote, which bundles are made in; name its vault.json with --config.`,
    );
  }
  const vault = await findRunningVault(config);
  const nodes = nodesOfMachine(
    parseVaultFile(JSON.stringify({ ...vault.access.file, ...vault.epoch }), config),
    machine,
  );
  if (nodes.length === 0) {
    throw new VaultFileError(
      `The vault has no machine ${machine}; it has ${machineNames(vault.access.file).join(", ")}.`,
    );
  }
  const path = join(folder, `replaced-${machine}.json`);
  const before = isAgain ? null : readNote(path);
  const note = before ?? describeMissing(vault.epoch, machine, { address, areDrivesKept });
  const next = withReplacedMachine(vault.epoch, machine, note);
  if (next === null) {
    if (before !== null)
      screen.say(
        `${machine} has already been replaced. If that machine is lost as well, run the command again with --again.`,
      );
  } else {
    await refuseRunning(vault, nodes, machine);
    if (!isLossAccepted) refuseLoss(await readStatus(config), nodes, machine, note);
    writeSecretFile(path, `${JSON.stringify(note, null, 2)}\n`);
    await change(vault, next, [], screen.say, {
      gone: nodes,
      note: { action: "machine.replace", machine },
    });
  }
  const bundle = await bundleMachine(openSetupFolder(folder), machine, Date.now());
  screen.say(`Copy ${bundle} to the new machine, mount its drives at the same folders, and run there:`);
  screen.say(`  npm run stashlight -- vault join ${machine}.bundle`);
  if (!isWaiting) return 0;
  const isWhole = await followRebuild(config, screen, interrupted);
  if (isWhole) rmSync(path, { force: true });
  return isWhole ? 0 : 1;
}

function readNote(path: string): Note | null {
  if (!existsSync(path)) return null;
  const parsed = noteSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (parsed.success) return parsed.data;
  throw new VaultFileError(`${path} cannot be read; remove it, and run the command again with --again.`);
}

function describeMissing(
  { nodes }: VaultEpoch,
  machine: string,
  { address, areDrivesKept }: Pick<ReplaceMachineCommand, "address" | "areDrivesKept">,
): Note {
  const ofMachine = nodes.filter((node) => node.machine === machine);
  const addresses = ofMachine.flatMap((node) => {
    if (node.role === "coordinator") return [];
    return node.drives.map((drive) => ("pod" in drive ? `p${drive.pod}` : `s${drive.device}`));
  });
  const ids = areDrivesKept ? [] : addresses.map((each) => [each, randomBytes(16).toString("hex")]);
  return { address, driveIds: Object.fromEntries(ids) };
}

/** Two machines with the same nodes would each hold a part of the written data. */
async function refuseRunning(
  { access }: RunningVault,
  nodes: readonly VaultNode[],
  machine: string,
): Promise<void> {
  const answers = await Promise.all(
    nodes.map((node) => askAdmin(node, "/healthz", { access: access.admin })),
  );
  const running = nodes.filter((_, at) => answers[at]?.type === "answered");
  if (running.length === 0) return;
  const names = running.map(({ id }) => id).join(", ");
  throw new VaultFileError(
    `${machine} still runs ${names}; stop its services first, so that nothing more is written there.`,
  );
}

/**
 * Refuses while this machine's drives might hold shards that other pods lack, of objects with too few shards elsewhere.
 * A pod that does not answer may lack nothing, so its silence does not justify a loss.
 */
export function refuseLoss(
  {
    pods,
  }: { readonly pods: readonly Pick<DriveReport, "index" | "node" | "state" | "isWell" | "missing">[] },
  nodes: readonly Pick<VaultNode, "id">[],
  machine: string,
  { driveIds }: Pick<Note, "driveIds">,
): void {
  if (Object.keys(driveIds).length === 0) return;
  const own = new Set(nodes.map(({ id }) => id));
  if (!pods.some((pod) => own.has(pod.node))) return;
  const others = pods.filter((pod) => !own.has(pod.node));
  const namesOf = (found: typeof others) => found.map(({ index }) => `p${index}`).join(", ");
  const silent = others.filter(({ state }) => state === "silent");
  if (silent.length > 0)
    throw new VaultFileError(
      `${namesOf(silent)} did not answer, so it is unknown whether they lack shards that only the drives of ${machine} hold. Start these pods or repair their network, and run the command again.`,
    );
  const lacking = others.filter(({ isWell, missing }) => !isWell || (missing?.shardCount ?? 0) > 0);
  if (lacking.length === 0) return;
  throw new VaultFileError(
    `${namesOf(lacking)} lack shards or have no drive, and some of these may be on the drives of ${machine} alone. Wait for npm run stashlight -- vault rebuild, bring the machine back, or move its drives with --keep-drives; --accept-loss gives them up.`,
  );
}
