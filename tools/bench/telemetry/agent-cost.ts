/**
 * Cost of monitoring to an agent, against the same process without it, and the delay from a window's end to its chart:
 * an agent's process, an ingest's process, and the query of a chart.
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Context } from "@stashlight/services/context";
import { queryMetric } from "@stashlight/services/metrics/query";
import type { Platform } from "@stashlight/services/platform";
import type { Measurement } from "../measurement.ts";
import type { AgentCost, AgentTask } from "./agent-process.ts";
import { startIngest } from "./ingest-process.ts";
import { createNodeKey, nodeKeyRow } from "./node-key.ts";

const SYNCS_PER_SECOND = 1000;
const DRIVES = 3;
/** The first window, in which code is optimised, does not count. */
const WINDOWS = 5;
const WINDOW_MS = 10_000;
const ASK_EVERY_MS = 50;

export async function benchAgentCost(
  platform: Platform,
  viewer: Context<Platform>,
  say: (line: string) => void,
): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "stashlight-bench-agent-"));
  const ingest = await startIngest(platform);
  const nodeId = await nodeWithKey(platform, folder);
  const task = {
    syncsPerSecond: SYNCS_PER_SECOND,
    driveCount: DRIVES,
    ingest: `http://127.0.0.1:${ingest.port}`,
    stateFolder: folder,
  };
  const children = await Promise.all([true, false].map((isMeasured) => startAgent({ ...task, isMeasured })));
  const [measured, bare] = children as [ChildProcess, ChildProcess];
  try {
    await ageOfNextWindow(viewer, nodeId);
    const before = await Promise.all([readAgentCost(measured), readAgentCost(bare)]);
    const agesMs: number[] = [];
    for (let i = 1; i < WINDOWS; i += 1) agesMs.push(await ageOfNextWindow(viewer, nodeId));
    const after = await Promise.all([readAgentCost(measured), readAgentCost(bare)]);
    const cpuUs = (i: 0 | 1): number => after[i].cpuUs - before[i].cpuUs;
    const seconds = (agesMs.length * WINDOW_MS) / 1000;
    say(
      `Monitoring ${SYNCS_PER_SECOND} syncs a second synced ${after[0].syncCount} files in ${seconds} s; ` +
        `windows were in a chart ${agesMs.map((each) => (each / 1000).toFixed(2)).join(", ")} s after their end.`,
    );
    return [
      {
        name: "monitoring: resident over bare Node",
        value: (after[0].residentBytes - after[1].residentBytes) / 1e6,
        unit: "MB",
        against: { name: "64 MB", value: 64 },
      },
      {
        name: `monitoring: a core at ${SYNCS_PER_SECOND} syncs/s`,
        value: (cpuUs(0) - cpuUs(1)) / seconds / 10_000,
        unit: "%",
        against: { name: "1 %", value: 1 },
      },
      {
        name: "window's end to chart, the longest",
        value: Math.max(...agesMs),
        unit: "ms",
        against: { name: "3 s", value: 3000 },
      },
    ];
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await ingest.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates a node as by enrolment, with its key where the agent looks for it. */
async function nodeWithKey({ db }: Platform, folder: string): Promise<string> {
  const [nodeId, key] = [randomUUID(), createNodeKey()];
  const name = "bench.stash-1";
  await db.node.create({ data: { id: nodeId, name, vault: "bench", role: "stash", status: "active" } });
  await db.nodeKey.create({ data: nodeKeyRow(nodeId, key) });
  mkdirSync(join(folder, "telemetry"));
  writeFileSync(join(folder, "telemetry/node.json"), JSON.stringify({ nodeId, name, vault: "bench", key }));
  return nodeId;
}

async function startAgent(task: AgentTask): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL("agent-process.ts", import.meta.url)));
  const gone = once(child, "exit").then(() => {
    throw new Error("The agent of the bench has ended.");
  });
  child.send(task);
  await Promise.race([once(child, "message"), gone]);
  gone.catch(() => {});
  return child;
}

async function readAgentCost(child: ChildProcess): Promise<AgentCost> {
  child.send("cost");
  const [cost] = await once(child, "message");
  return cost as AgentCost;
}

/** Polls like a chart until there are more samples, and returns the time since their window ended. */
async function ageOfNextWindow(viewer: Context<Platform>, nodeId: string): Promise<number> {
  const ask = async (): Promise<{ count: number; newestMs: number }> => {
    const nowMs = Date.now();
    const { series, newestMs } = await queryMetric({
      ctx: viewer,
      input: {
        metric: "stashlight_fsync_seconds",
        nodeIds: [nodeId],
        fromMs: nowMs - 600_000,
        toMs: nowMs,
        where: {},
        groupBy: [],
        across: "sum",
        pointCountMax: 400,
      },
    });
    const columns = series[0]?.columns;
    const counts = columns?.kind === "histogram" ? columns.n : [];
    return { count: counts.reduce((sum, each) => sum + each, 0), newestMs: newestMs ?? 0 };
  };
  const before = await ask();
  for (;;) {
    await pause(ASK_EVERY_MS);
    const { count, newestMs } = await ask();
    if (count > before.count) return Date.now() - newestMs;
  }
}
