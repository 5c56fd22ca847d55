/** Describes the cost of the quarantine of a slow drive, from the scheme and the devices that agents report now. */
import { describePodQuarantine, describeStashQuarantine } from "@stashlight/planner";
import { readNewestLevels } from "../durability/newest-levels.ts";
import type { WithMerger } from "../metrics/query/merger.ts";
import type { PeerGroupName } from "./peer-group.ts";

interface SlowDrive extends PeerGroupName {
  readonly device: string;
}

/** Null while no coordinator reports the scheme, and for a device that takes no new shards already. */
export async function describeQuarantineCost(
  platform: WithMerger,
  { vault, tier, device }: SlowDrive,
  nowMs: number,
): Promise<string | null> {
  const level = (metric: Parameters<typeof readNewestLevels>[1]["metric"]) =>
    readNewestLevels(platform, { metric, groupBy: ["vault"], across: "max" }, [vault], nowMs);
  const devices = async (metric: Parameters<typeof readNewestLevels>[1]["metric"]) => {
    const groupBy = ["vault", "device"] as const;
    const levels = await readNewestLevels(platform, { metric, groupBy, across: "max" }, [vault], nowMs);
    return levels.map(({ labels }) => labels.device ?? "");
  };
  const [[data], [parity], [rate], installed, ...away] = await Promise.all([
    level("stashlight_vault_data_shards"),
    level("stashlight_vault_parity_shards"),
    level("stashlight_vault_rebuild_limit_bytes"),
    devices("stashlight_stash_capacity_bytes"),
    devices("stashlight_stash_draining_shards"),
    devices("stashlight_stash_quarantine_seconds"),
  ]);
  if (data === undefined || parity === undefined || rate === undefined) return null;
  const scheme = { dataShards: data.value, parityShards: parity.value };
  if (tier === "pod") {
    const held = await level("stashlight_pod_capacity_bytes");
    const [capacity] = held;
    return capacity === undefined ? null : describePodQuarantine(scheme, device, capacity.value / rate.value);
  }
  const taking = installed.filter((each) => !away.flat().includes(each));
  if (!taking.includes(device)) return null;
  return describeStashQuarantine(scheme, { before: taking.length, after: taking.length - 1 });
}
