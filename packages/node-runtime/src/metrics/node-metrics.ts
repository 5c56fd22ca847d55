/** Metrics of every agent: its resource use and, for an agent in a vault, its connections. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createRecorder, exposition, type Recorder, type Tier } from "@stashlight/telemetry";
import type { AdminSource } from "../admin/admin-server.ts";
import type { Switchboard } from "../host/message-router.ts";
import { watchMachine } from "../machine/machine-metrics.ts";

export const AGENT_VERSION = "0.2.0";
const LOOP_RESOLUTION_MS = 20;

/** Creates a recorder with the metrics that every agent reports. */
export function createAgentRecorder(tier: Tier): Recorder {
  const recorder = createRecorder({ nowMs: Date.now });
  recorder.gauge("stashlight_agent_info", { tier, version: AGENT_VERSION }).set(1);
  const cpu = recorder.counter("stashlight_agent_cpu_seconds_total", {});
  const resident = recorder.gauge("stashlight_agent_resident_bytes", {});
  const delay = recorder.gauge("stashlight_agent_event_loop_delay_seconds", {});
  watchMachine(recorder);
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loop.enable();
  recorder.onRead(() => {
    const { user, system } = process.cpuUsage();
    cpu.follow((user + system) / 1e6);
    resident.set(process.memoryUsage.rss());
    delay.set(Number.isFinite(loop.percentile(99)) ? loop.percentile(99) / 1e9 : null);
    loop.reset();
  });
  return recorder;
}

export function createNodeRecorder(tier: Tier, switchboard: Pick<Switchboard, "snapshots">): Recorder {
  const recorder = createAgentRecorder(tier);
  const connections = recorder.gauge("stashlight_connections", { tier });
  const received = recorder.counter("stashlight_transport_received_bytes_total", {});
  const sent = recorder.counter("stashlight_transport_sent_bytes_total", {});
  recorder.onRead(() => {
    const snapshots = switchboard.snapshots();
    const sum = (of: (snapshot: (typeof snapshots)[number]) => number) =>
      snapshots.reduce((total, snapshot) => total + of(snapshot), 0);
    connections.set(sum(({ connectionCount }) => connectionCount));
    received.follow(sum(({ bytesReceivedTotal }) => bytesReceivedTotal));
    sent.follow(sum(({ bytesSentTotal }) => bytesSentTotal));
    followByReason(recorder, snapshots);
  });
  return recorder;
}

function followByReason(recorder: Recorder, snapshots: ReturnType<Switchboard["snapshots"]>): void {
  const dropped = new Map<string, number>();
  const refused = new Map<string, number>();
  const add = (to: Map<string, number>, counts: Readonly<Record<string, number>>) => {
    for (const [reason, count] of Object.entries(counts)) to.set(reason, (to.get(reason) ?? 0) + count);
  };
  for (const { dropsTotal, refusalsTotal, trespassesTotal } of snapshots) {
    add(dropped, dropsTotal);
    add(refused, refusalsTotal);
    add(refused, trespassesTotal);
  }
  for (const [reason, count] of dropped)
    recorder.counter("stashlight_transport_dropped_total", { reason }).follow(count);
  for (const [reason, count] of refused)
    recorder.counter("stashlight_transport_refused_total", { reason }).follow(count);
}

/** Counts requests that the admin server refuses. */
export function countRefusals(recorder: Recorder): AdminSource["refused"] {
  const refused = recorder.counter("stashlight_admin_refused_total", {});
  return () => refused.add();
}

/** Returns the metrics page of the admin server. */
export function metricsPage(recorder: Recorder): AdminSource["metrics"] {
  return (accept) => exposition(recorder, accept);
}
