/**
 * Describes the failures that a layout does not survive. All thresholds are those of the write path (placement.ts,
 * quorums.ts), so the description matches the vault's behaviour.
 */
import {
  placementLimits,
  quorumsOf,
  type Scheme,
  serverCountMin,
  type VaultConfig,
} from "@stashlight/write-path";
import type { Layout, Machine } from "./schema.ts";

export interface PlacementReport {
  /** Failures of one machine, or of the given drives, that break a promise of the vault. */
  readonly weaknesses: readonly string[];
  /** Facts worth knowing that are often intended. */
  readonly notes: readonly string[];
}

export function judgePlacement({ machines, scheme }: Layout): PlacementReport {
  const zones = new Set(machines.flatMap(({ zone }) => zone ?? []));
  const byZone = zones.size === 0 ? [] : judgeZones(machines, scheme, zones.size);
  return {
    weaknesses: [
      ...judgeStash(machines, scheme),
      ...judgePods(machines, scheme),
      ...judgeUploads(machines, scheme),
    ],
    notes: byZone,
  };
}

const schemeName = ({ dataShardCount, parityShardCount }: Scheme): string =>
  `${dataShardCount}+${parityShardCount}`;

function judgeStash(machines: readonly Machine[], scheme: Scheme): string[] {
  const servers = machines.filter(({ stash }) => stash.length > 0);
  const limits = placementLimits(buildVaultConfig(machines, scheme, ({ name }) => name));
  const deviceCount = servers.reduce((sum, { stash }) => sum + stash.length, 0);
  const { acknowledge, decode } = quorumsOf(scheme);
  if (!limits.hasStashPath) {
    return [
      `${schemeName(scheme)} needs ${acknowledge} stash drives or more for an upload, but there are ${deviceCount}; every upload would wait for the pods' drives.`,
    ];
  }
  if (limits.survivesServerLoss) return [];
  if (acknowledge - 1 < decode) {
    return [
      `${schemeName(scheme)} does not survive the loss of a stash server in a power cut, on any number of servers; with two parity shards or more it would.`,
    ];
  }
  const wanted = serverCountMin(scheme, 1);
  if (servers.length < wanted) {
    return [
      `${schemeName(scheme)} on ${counted(servers.length, "stash server")} does not survive the loss of one; on ${wanted} it would.`,
    ];
  }
  return [
    `${schemeName(scheme)} would put ${limits.shardsPerServer} shards of an upload on one stash server, but only ${limits.shardsPerServerAllowed} may be lost with it; add drives to the servers with the fewest.`,
  ];
}

function judgePods(machines: readonly Machine[], scheme: Scheme): string[] {
  const { parityShardCount } = scheme;
  return machines
    .filter(({ pods }) => pods.length > parityShardCount)
    .map(
      ({ name, pods }) =>
        `${name} has ${pods.length} pods, and ${schemeName(scheme)} can read with at most ${parityShardCount} of them missing; nothing could be read while this machine is away.`,
    );
}

/** An acknowledgement needs all pods but one, so restarting a machine with more pods stops uploads. */
function judgeUploads(machines: readonly Machine[], scheme: Scheme): string[] {
  const { shardCount, acknowledge } = quorumsOf(scheme);
  const spared = shardCount - acknowledge;
  const wide = machines.filter(({ pods }) => pods.length > spared).map(({ name }) => name);
  if (wide.length === 0) return [];
  const who = wide.length === 1 ? `${wide[0]} has` : `${wide.length} machines have`;
  return [
    `${who} more than ${counted(spared, "pod")}: while such a machine is away, even for a restart, objects can be read but every upload is refused. With one pod per machine uploads would continue, as they would with a second vault behind the endpoint.`,
  ];
}

function judgeZones(machines: readonly Machine[], scheme: Scheme, zoneCount: number): string[] {
  const machineZone = ({ zone, name }: Machine): string => zone ?? `machine ${name}`;
  const notes: string[] = [];
  for (const [zone, members] of Map.groupBy(machines, machineZone)) {
    const podCount = members.reduce((sum, { pods }) => sum + pods.length, 0);
    if (members.length < 2 || podCount <= scheme.parityShardCount) continue;
    notes.push(
      `Zone ${zone} has ${podCount} pods, and ${schemeName(scheme)} can read with at most ${scheme.parityShardCount} of them missing; nothing could be read while the zone is away.`,
    );
  }
  const isStashSafe = placementLimits(buildVaultConfig(machines, scheme, machineZone)).survivesServerLoss;
  if (!isStashSafe) {
    notes.push(
      `The stash of ${counted(zoneCount, "zone")} does not survive the loss of one in a power cut; with ${serverCountMin(scheme, 1)} zones it would.`,
    );
  }
  return notes;
}

/** The vault as placement sees it, with a server for each group of machines. */
function buildVaultConfig(
  machines: readonly Machine[],
  scheme: Scheme,
  groupOf: (machine: Machine) => string,
): VaultConfig {
  const groups = [...new Set(machines.map(groupOf))];
  let deviceId = 0;
  const stashDevices = machines.flatMap((machine) =>
    machine.stash.map(() => ({ deviceId: deviceId++, serverId: groups.indexOf(groupOf(machine)) })),
  );
  return { epoch: 1, scheme, podDriveIds: [], stashDevices, coordinatorCount: 1 };
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
