/**
 * Computes the next epoch of an operation; each function throws a VaultFileError with the reason if there is none.
 * Pure.
 */
import {
  type Quarantine,
  type StashNode,
  stashLimits,
  type VaultEpoch,
  type VaultFile,
  VaultFileError,
} from "@stashlight/node-runtime/config";

type Node = VaultEpoch["nodes"][number];
type DriveNode = Exclude<Node, { role: "coordinator" }>;
type Drive = DriveNode["drives"][number];

export interface PlacedDrive {
  readonly node: DriveNode;
  readonly drive: Drive;
}

const driveAddress = (drive: Drive): string => ("pod" in drive ? `p${drive.pod}` : `s${drive.device}`);

/** Ends a quarantine, because another drive in the same place is not known to be slow. */
function released<D extends Drive>(drive: D): D {
  if (!("quarantine" in drive)) return drive;
  const { quarantine: _, ...rest } = drive;
  return rest as D;
}

export function driveAt({ nodes }: VaultEpoch, address: string): PlacedDrive {
  const drives = nodes.flatMap((node) =>
    node.role === "coordinator" ? [] : node.drives.map((drive) => ({ node, drive })),
  );
  const found = drives.find(({ drive }) => driveAddress(drive) === address);
  if (found !== undefined) return found;
  const known = drives.map(({ drive }) => driveAddress(drive)).join(", ");
  throw new VaultFileError(`The vault has no drive ${address}; its drives are ${known}.`);
}

function nodeAt({ nodes }: VaultEpoch, nodeId: string): Node {
  const found = nodes.find(({ id }) => id === nodeId);
  if (found !== undefined) return found;
  throw new VaultFileError(
    `The vault has no node ${nodeId}; its nodes are ${nodes.map(({ id }) => id).join(", ")}.`,
  );
}

const after = (epoch: VaultEpoch, nodes: readonly Node[]): VaultEpoch => {
  return { ...epoch, epoch: epoch.epoch + 1, nodes: [...nodes] };
};

export function withReplacedDrive(
  epoch: VaultEpoch,
  address: string,
  { driveId, path }: { readonly driveId: string; readonly path: string },
): VaultEpoch {
  const { node } = driveAt(epoch, address);
  const replace = <D extends Drive>(drives: readonly D[]): D[] =>
    drives.map((drive) =>
      driveAddress(drive) === address ? { ...released(drive), driveId, path, isNew: true as const } : drive,
    );
  const changed =
    node.role === "pod"
      ? { ...node, drives: replace(node.drives) }
      : { ...node, drives: replace(node.drives) };
  return after(
    epoch,
    epoch.nodes.map((other) => (other === node ? changed : other)),
  );
}

/**
 * Moves the nodes of a machine to another address, with other drives in the same folders; null if nothing changes. A
 * new machine formats its drives as it joins.
 */
export function withReplacedMachine(
  epoch: VaultEpoch,
  machine: string,
  {
    address,
    driveIds,
  }: { readonly address: string | null; readonly driveIds: Readonly<Record<string, string>> },
): VaultEpoch | null {
  const replace = <D extends Drive>(drives: readonly D[]): D[] =>
    drives.map((drive) => {
      const driveId = driveIds[driveAddress(drive)];
      if (driveId === undefined || driveId === drive.driveId) return drive;
      const { isNew: _, ...rest } = released(drive);
      return { ...(rest as D), driveId };
    });
  const nodes = epoch.nodes.map((node): Node => {
    if (node.machine !== machine) return node;
    const host = address ?? node.host;
    if (node.role === "coordinator")
      return { ...node, host, s3: { ...node.s3, host: address ?? node.s3.host } };
    return node.role === "pod"
      ? { ...node, host, drives: replace(node.drives) }
      : { ...node, host, drives: replace(node.drives) };
  });
  return JSON.stringify(nodes) === JSON.stringify(epoch.nodes) ? null : after(epoch, nodes);
}

export function withRebuildRate(epoch: VaultEpoch, rebuildBytesPerSecond: number): VaultEpoch {
  return { ...after(epoch, epoch.nodes), rebuildBytesPerSecond };
}

/** Adds a stash server. Its entry is complete; its devices continue the existing numbering. */
export function withStashNode(epoch: VaultEpoch, node: Extract<Node, { role: "stash" }>): VaultEpoch {
  return withNode(epoch, node);
}

function withNode(epoch: VaultEpoch, node: Node): VaultEpoch {
  if (epoch.nodes.some(({ id }) => id === node.id)) {
    throw new VaultFileError(`The vault already has a node ${node.id}; give the new one another name.`);
  }
  return after(epoch, [...epoch.nodes, node]);
}

/** Adds a coordinator after the others, because they are numbered in file order. */
export function withCoordinator(epoch: VaultEpoch, node: Extract<Node, { role: "coordinator" }>): VaultEpoch {
  return withNode(epoch, node);
}

export function nextDeviceNumber({ nodes }: VaultEpoch): number {
  const devices = nodes.flatMap((node) => (node.role === "stash" ? node.drives : []));
  return 1 + Math.max(-1, ...devices.map(({ device }) => device));
}

/** Starts or ends the drain of a stash server: while drained, it gets no new shards. */
export function withDrain(
  epoch: VaultEpoch,
  nodeId: string,
  isDraining: boolean,
  file: VaultFile,
): VaultEpoch {
  const node = stashNodeAt(epoch, nodeId);
  const { isDraining: before = false, ...rest } = node;
  if (before === isDraining) {
    throw new VaultFileError(
      `The node ${nodeId} ${isDraining ? "is already being drained" : "is not being drained"}.`,
    );
  }
  const changed = isDraining ? { ...rest, isDraining } : rest;
  const next = after(
    epoch,
    epoch.nodes.map((other) => (other === node ? changed : other)),
  );
  const { hasStashPath, deviceCountMin } = stashLimits({ ...file, ...next });
  if (!hasStashPath) {
    throw new VaultFileError(
      `Without ${nodeId} the stash has fewer than the ${deviceCountMin} devices that an upload needs; add a stash server first.`,
    );
  }
  return next;
}

/** Puts a stash device into quarantine, or releases it with null: in quarantine it gets no new shards. */
export function withQuarantine(
  epoch: VaultEpoch,
  address: string,
  quarantine: Quarantine | null,
  file: VaultFile,
): VaultEpoch {
  const { node } = driveAt(epoch, address);
  if (node.role === "pod")
    throw new VaultFileError(`${address} is a pod; only stash devices are quarantined.`);
  const next = after(
    epoch,
    epoch.nodes.map((other) => (other === node ? withMark(node, address, quarantine) : other)),
  );
  const { hasStashPath, deviceCountMin, takingCount } = stashLimits({ ...file, ...next });
  if (quarantine !== null && !hasStashPath) {
    throw new VaultFileError(
      `Without ${address} ${takingCount} stash devices would take new shards, and an upload needs ${deviceCountMin}; release another one or add a stash server first.`,
    );
  }
  return next;
}

function withMark(node: StashNode, address: string, quarantine: Quarantine | null): StashNode {
  const drives = node.drives.map((drive) => {
    if (driveAddress(drive) !== address) return drive;
    return quarantine === null ? released(drive) : { ...drive, quarantine };
  });
  return { ...node, drives };
}

/** Removes a drained or lost stash server, or the last coordinator, from the vault. */
export function withoutNode(epoch: VaultEpoch, nodeId: string, { isLost = false } = {}): VaultEpoch {
  const node = nodeAt(epoch, nodeId);
  if (node.role === "pod") {
    throw new VaultFileError(
      `${nodeId} holds pods, whose number cannot change; replace their drives instead.`,
    );
  }
  if (node.role === "stash" && node.isDraining !== true && !isLost) {
    throw new VaultFileError(`${nodeId} may hold shards that are nowhere else; drain it first.`);
  }
  const nodes = epoch.nodes.filter((other) => other !== node);
  if (!nodes.some(({ role }) => role === node.role)) {
    throw new VaultFileError(`${nodeId} is the last node with the role ${node.role}.`);
  }
  const coordinators = epoch.nodes.filter(({ role }) => role === "coordinator");
  // Coordinators are numbered in file order.
  if (node.role === "coordinator" && coordinators.at(-1) !== node) {
    throw new VaultFileError(`Only the last coordinator, ${coordinators.at(-1)?.id}, can leave the vault.`);
  }
  return after(epoch, nodes);
}

export function stashNodeAt(epoch: VaultEpoch, nodeId: string): Extract<Node, { role: "stash" }> {
  const node = nodeAt(epoch, nodeId);
  if (node.role === "stash") return node;
  throw new VaultFileError(`${nodeId} is a node with the role ${node.role}; only stash servers are drained.`);
}
