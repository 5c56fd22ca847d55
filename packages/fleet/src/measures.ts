/** All metrics of a simulated agent: those of its role, and those that every agent reports about itself. */
import { certificateMarks } from "@stashlight/contracts/thresholds";
import { DAY_MS, DAY_SECONDS } from "@stashlight/contracts/time";
import { level, type Measures, rate, SHARD_BYTES } from "./measure.ts";
import { coordinatorMeasures } from "./measures-of-coordinator.ts";
import { podMeasures } from "./measures-of-pod.ts";
import { stashMeasures } from "./measures-of-stash.ts";
import type { FleetNode } from "./plan.ts";
import { uniform } from "./random.ts";

export const FLEET_AGENT_VERSION = "0.2.0-simulated";

const measuresOfRole = { pod: podMeasures, stash: stashMeasures, coordinator: coordinatorMeasures } as const;

export function makeMeasures(node: FleetNode): Measures {
  const own = ownCost(node);
  const { histograms, gauges, counters } = measuresOfRole[node.role](node);
  return { histograms, gauges: [...own.gauges, ...gauges], counters: [...own.counters, ...counters] };
}

/** Renews each vault's certificates with a third of the time left, on different days. */
function certificateSecondsLeft(vaultIndex: number, atMs: number): number {
  const { lifetimeDays, renewDaysLeft } = certificateMarks;
  const usedDays = (atMs / DAY_MS + 7 * vaultIndex) % (lifetimeDays - renewDaysLeft);
  return (lifetimeDays - usedDays) * DAY_SECONDS;
}

const minuteNumber = (atMs: number): number => Math.floor(atMs / 60_000);

function ownCost({ index, role, vault, vaultIndex }: FleetNode): Pick<Measures, "gauges" | "counters"> {
  const isCoordinator = role === "coordinator";
  return {
    gauges: [
      level("stashlight_agent_info", { tier: role, version: FLEET_AGENT_VERSION }, () => 1),
      level("stashlight_agent_resident_bytes", {}, (_, atMs) =>
        Math.round((95 + 40 * uniform(index, minuteNumber(atMs), 21)) * 2 ** 20),
      ),
      level(
        "stashlight_agent_event_loop_delay_seconds",
        {},
        (_, atMs) => 0.02 + 0.004 * uniform(index, minuteNumber(atMs), 22),
      ),
      level("stashlight_agent_spool_bytes", {}, () => 0),
      level(
        "stashlight_certificate_remaining_seconds",
        { certificate: "node", issuer: `Stashlight authority of the vault ${vault}` },
        (_, atMs) => certificateSecondsLeft(vaultIndex, atMs),
      ),
      level("stashlight_connections", { tier: role }, () => (isCoordinator ? 27 : 21)),
    ],
    counters: [
      rate("stashlight_agent_cpu_seconds_total", {}, (moment) => 0.004 + 0.0008 * moment.uploadsPerSecond),
      rate("stashlight_transport_received_bytes_total", {}, rateOfBytes(isCoordinator ? 0.1 : 1)),
      rate("stashlight_transport_sent_bytes_total", {}, rateOfBytes(isCoordinator ? 40 : 0.1)),
    ],
  };
}

/** Bytes per second, given the shards per upload. */
const rateOfBytes =
  (shardCount: number) =>
  ({ uploadsPerSecond }: { readonly uploadsPerSecond: number }): number =>
    uploadsPerSecond * shardCount * SHARD_BYTES;
