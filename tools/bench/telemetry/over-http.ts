/**
 * Batches of a fleet over HTTP into one ingest process, as agents send them: with the node's key, compressed, on
 * persistent connections.
 */
import { Agent, request } from "node:http";
import type { Platform } from "@stashlight/services/platform";
import { BATCH_CONTENT_TYPE } from "@stashlight/telemetry";
import type { Measurement } from "../measurement.ts";
import { median } from "../rounds.ts";
import { createFleet, encodeReceivedBatch, type Fleet, HISTOGRAMS_A_BATCH, WINDOW_MS } from "./fleet.ts";
import { type ServerProcess, startBareServer, startIngest } from "./ingest-process.ts";
import { createNodeKey, nodeKeyRow } from "./node-key.ts";

const CONNECTIONS = 64;

const NODES = 200;
const WINDOWS_IN_ROUND = 10;
/** A process takes twice as long until its code is optimised, and an ingest runs for months. */
const WARM_UP_ROUNDS = 4;
const ROUNDS = 7;
/** 30,000 histogram rows per second of one processor. */
const TARGET = { name: "30,000 rows per second", value: (HISTOGRAMS_A_BATCH / 30_000) * 1e6 };

/** Measures the full path of a batch. CPU time of the ingest gives the cost of an unshared core. */
export async function benchHttp(platform: Platform, say: (line: string) => void): Promise<Measurement[]> {
  const fleet = createFleet(NODES);
  const keys = await createNodeKeys(platform, fleet);
  const rounds = await measure(await startIngest(platform), fleet, keys, say);
  const bare = await measure(await startBareServer(), fleet, keys, () => {});
  const batchCount = NODES * WINDOWS_IN_ROUND;
  const seconds = median(rounds.map((round) => round.seconds));
  const cpuUsPerBatch = (of: readonly Sent[]): number =>
    (median(of.map((round) => round.cpuSeconds)) / batchCount) * 1e6;
  const cpuUs = cpuUsPerBatch(rounds);
  const rows = batchCount * HISTOGRAMS_A_BATCH;
  const against = { name: "30,000 per second", value: 30_000 };
  return [
    { name: "histogram rows over HTTP, one ingest", value: rows / seconds, unit: "1/s", against },
    {
      name: "the same, a second of its processor",
      value: (HISTOGRAMS_A_BATCH / cpuUs) * 1e6,
      unit: "1/s",
      against,
    },
    { name: "processor time of a batch, ingest", value: cpuUs, unit: "us", against: TARGET },
    {
      name: "the same, a server that only reads it",
      value: cpuUsPerBatch(bare),
      unit: "us",
      against: TARGET,
    },
  ];
}

async function measure(
  server: ServerProcess,
  fleet: Fleet,
  keys: ReadonlyMap<string, string>,
  say: (line: string) => void,
): Promise<Sent[]> {
  const nowMs = Math.floor(Date.now() / WINDOW_MS) * WINDOW_MS;
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const rounds: Sent[] = [];
  try {
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
      const ends = Array.from(
        { length: WINDOWS_IN_ROUND },
        (_, i) => nowMs - (round * WINDOWS_IN_ROUND + i) * WINDOW_MS,
      );
      rounds.push(await send({ port: server.port, keys, agent }, server, fleet, ends));
    }
  } finally {
    agent.destroy();
    await server.stop();
  }
  const each = rounds.map(({ cpuSeconds }) => Math.round((cpuSeconds / NODES / WINDOWS_IN_ROUND) * 1e6));
  say(`Processor time of a batch over HTTP, round by round: ${each.join(", ")} us.`);
  return rounds.slice(WARM_UP_ROUNDS);
}

interface Target {
  readonly port: number;
  readonly keys: ReadonlyMap<string, string>;
  readonly agent: Agent;
}

interface Sent {
  /** From the first batch to the last answer. */
  readonly seconds: number;
  /** CPU time of the ingest. */
  readonly cpuSeconds: number;
}

async function send(
  target: Target,
  server: ServerProcess,
  fleet: Fleet,
  windowEndsMs: readonly number[],
): Promise<Sent> {
  const batches = windowEndsMs.flatMap((endMs) =>
    fleet
      .batches(endMs)
      .map((batch) => ({ key: target.keys.get(batch.nodeId) ?? "", body: encodeReceivedBatch(batch) })),
  );
  const startedMs = performance.now();
  const cpuBefore = server.cpuSeconds();
  const rest = batches.values();
  const work = async (): Promise<void> => {
    for (const { key, body } of rest) await post(target, key, body);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return { seconds: (performance.now() - startedMs) / 1000, cpuSeconds: server.cpuSeconds() - cpuBefore };
}

function post({ port, agent }: Target, key: string, body: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": BATCH_CONTENT_TYPE,
      "content-encoding": "zstd",
      "content-length": body.length,
    };
    const sent = request(
      { host: "127.0.0.1", port, agent, method: "POST", path: "/v1/batches", headers },
      (response) => {
        response.resume().once("end", resolve);
        if (response.statusCode !== 200) reject(new Error(`The ingest answered ${response.statusCode}.`));
      },
    );
    sent.once("error", reject).end(body);
  });
}

/** Creates all nodes at once, as enrolment would. */
async function createNodeKeys({ db }: Platform, { nodeIds }: Fleet): Promise<ReadonlyMap<string, string>> {
  const keys = new Map(nodeIds.map((nodeId) => [nodeId, createNodeKey()]));
  await db.node.createMany({
    data: nodeIds.map((id, i) => ({ id, name: `n${i}`, vault: "bench", role: "stash", status: "active" })),
  });
  await db.nodeKey.createMany({ data: [...keys].map(([nodeId, key]) => nodeKeyRow(nodeId, key)) });
  return keys;
}
