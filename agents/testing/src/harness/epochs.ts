/** Changes a running vault in the same way as the command line. */
import { readFileSync } from "node:fs";
import type { VaultEpoch, VaultFile } from "@stashlight/node-runtime/config";
import type { TestVault } from "./vault.ts";
import { until } from "./wait-until.ts";

const LEARNT_WITHIN_MS = 60_000;

export function readEpoch({ configPath }: TestVault): VaultEpoch {
  const { clusterId, epoch, nodes, rebuildBytesPerSecond }: VaultFile = JSON.parse(
    readFileSync(configPath, "utf8"),
  );
  return { clusterId, epoch, nodes, ...(rebuildBytesPerSecond !== undefined && { rebuildBytesPerSecond }) };
}

/** Sends an epoch to the node, and resolves to its answer. */
export async function postEpoch(
  vault: TestVault,
  nodeId: string,
  epoch: object,
  isTrial = false,
): Promise<{ status: number; text: string } | null> {
  const body = JSON.stringify({ epoch, isTrial });
  const headers = { "content-type": "application/json" };
  return await vault.askAdmin(nodeId, "/epoch", { method: "POST", body, headers });
}

/** Resolves when these nodes are in the epoch. */
export async function waitForEpoch(vault: TestVault, epoch: number, nodeIds = vault.nodeIds): Promise<void> {
  const look = () => Promise.all(nodeIds.map((id) => readNodeEpoch(vault, id)));
  await until(
    `epoch ${epoch} is in force on ${nodeIds.join(", ")}`,
    async () => (await look()).every((known) => known === epoch),
    LEARNT_WITHIN_MS,
    look,
  );
}

async function readNodeEpoch(vault: TestVault, nodeId: string): Promise<number | null> {
  const answer = await vault.askAdmin(nodeId, "/epoch");
  return answer === null ? null : JSON.parse(answer.text).epoch;
}

/** Returns the next epoch, in which the pod or stash device has another drive in this folder. */
export function withDrive(epoch: VaultEpoch, address: string, driveId: string, path: string): VaultEpoch {
  const place = { driveId, path, isNew: true as const };
  const nodes = epoch.nodes.map((node): VaultEpoch["nodes"][number] => {
    if (node.role === "coordinator") return node;
    if (node.role === "pod") {
      const drives = node.drives.map((d) => (`p${d.pod}` === address ? { ...d, ...place } : d));
      return { ...node, drives };
    }
    const drives = node.drives.map((d) => (`s${d.device}` === address ? { ...d, ...place } : d));
    return { ...node, drives };
  });
  return { ...epoch, epoch: epoch.epoch + 1, nodes };
}
