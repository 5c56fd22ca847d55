/**
 * Judges whether the ports of a vault's machines can carry the peak. A coordinator receives each upload once and sends
 * n shards of it to the pods, and for a small one n records to the stash as well: 2n/k times its bytes. A pod receives
 * one shard of each upload, and the live stash servers share the records. Ports are full duplex and replies are small,
 * so the busier direction counts.
 */

import { counted, formatFigure, formatShare } from "../format-figures.ts";
import { meanOverMix, splitMix } from "../sizing/mix.ts";
import { payloadBytesPerSecond, usableBytesPerSecond } from "../sizing/network-ports.ts";
import type { StashPlanInput } from "../sizing/plan-types.ts";
import { recordBytes, type StashPlan } from "../sizing/required-drives.ts";
import type { Pool } from "./pool.ts";

export interface PortUse {
  readonly of: "coordinators" | "pods" | "stash servers";
  readonly machines: number;
  readonly bitsPerSecond: number;
  /** Load of one machine's port at the peak, in the busier direction. */
  readonly peakBytesPerSecond: number;
  /** Share of the port's capacity; above 1 it is overloaded. */
  readonly utilisation: number;
}

export interface NetworkVerdict {
  /** Ports, busiest first. */
  readonly ports: readonly PortUse[];
  /** True if no port is busier at the planned peak than the plan's limit. */
  readonly suffices: boolean;
  /** Busiest of the ports that are too small; null if all suffice. */
  readonly firstTooSmall: PortUse | null;
  readonly sentence: string;
}

/** The coordinators of the plan, or as many as its peak needs. */
export const coordinatorCount = ({ ports }: NetworkVerdict): number =>
  ports.find(({ of }) => of === "coordinators")?.machines ?? 1;

/** Tolerance, because bits are compared after separate divisions. */
const ROUNDING = 1 + 1e-9;

export function judgeNetwork(input: StashPlanInput, plan: StashPlan, pool: Pool): NetworkVerdict {
  const n = input.dataShards + input.parityShards;
  const { peakBytesPerSecond: toStash } = plan.load;
  const toPods = toStash + directPeakBytesPerSecond(input, plan);
  const live = Math.max(1, pool.servers - input.serverFailuresTolerated);
  const perCoordinator = usableBytesPerSecond(input, input.coordinatorBitsPerSecond);
  const coordinators = input.coordinators ?? Math.max(1, Math.ceil((toPods + toStash) / perCoordinator));
  const ports = [
    describePort("coordinators", coordinators, input.coordinatorBitsPerSecond, toPods + toStash),
    describePort("pods", n, input.podBitsPerSecond, toPods),
    describePort("stash servers", live, input.stashBitsPerSecond, toStash),
  ].sort((a, b) => b.utilisation - a.utilisation);
  const [busiest] = ports as [PortUse];
  const suffices = busiest.utilisation <= input.maxUtilisation * ROUNDING;
  return {
    ports,
    suffices,
    firstTooSmall: suffices ? null : busiest,
    sentence: suffices
      ? `The network carries the peak: ${ports.map(describeUse).join(", ")} busy; ${formatShare(input.maxUtilisation)} is the limit.`
      : `The ports of ${busiest.of} are too small: at the peak they would be ${formatShare(busiest.utilisation)} busy, and ${formatShare(input.maxUtilisation)} is the limit. ${describeRemedy(input, busiest)}`,
  };
}

/**
 * Bytes per second of large uploads' shards, which go only to the pods, with the same growth and peak as small uploads.
 */
function directPeakBytesPerSecond(input: StashPlanInput, { load }: StashPlan): number {
  const { large, smallShare } = splitMix(input);
  if (smallShare === 1) return 0;
  const perLarge = meanOverMix(large, (bytes) => recordBytes(bytes, input));
  return load.peakShardsPerSecond * ((1 - smallShare) / smallShare) * perLarge;
}

function describePort(
  of: PortUse["of"],
  machines: number,
  bitsPerSecond: number,
  totalBytesPerSecond: number,
): PortUse {
  const peakBytesPerSecond = totalBytesPerSecond / machines;
  const utilisation = peakBytesPerSecond / payloadBytesPerSecond(bitsPerSecond);
  return { of, machines, bitsPerSecond, peakBytesPerSecond, utilisation };
}

const describeUse = ({ of, machines, utilisation }: PortUse): string =>
  `${counted(machines, of.slice(0, -1))} ${machines === 1 ? "is" : "are"} ${formatShare(utilisation)}`;

function describeRemedy(
  input: StashPlanInput,
  { of, machines, bitsPerSecond, utilisation }: PortUse,
): string {
  const times = utilisation / input.maxUtilisation;
  const speed = `${formatFigure((bitsPerSecond * times) / 1e9)} Gbit/s`;
  const more = Math.ceil(machines * times);
  const dead = input.serverFailuresTolerated;
  if (of === "pods") return `Each pod needs ${speed}, or a second vault takes some of the uploads.`;
  if (of === "stash servers") {
    return `${more + dead} ${of} carry it with ${counted(dead, "server")} dead, or ports of ${speed} each.`;
  }
  return `${more} ${of} carry it, or ports of ${speed} each.`;
}
