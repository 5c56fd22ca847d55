/** Batches of a fleet over HTTP into one ingest process, as agents send them: with keys, compressed, kept alive. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import type { Platform } from "@stashlight/services";
import { BATCH_CONTENT_TYPE } from "@stashlight/telemetry";
import type { Measurement } from "../measurement.ts";
import { median } from "../rounds.ts";
import { bytesOf, createFleet, type Fleet, HISTOGRAMS_A_BATCH, WINDOW_MS } from "./fleet.ts";
import { type IngestProcess, startIngest } from "./ingest-process.ts";

const CONNECTIONS = 64;

const NODES = 200;
const WINDOWS_IN_ROUND = 10;
const ROUNDS = 5;

/** The whole way of a batch. Processor time of the ingest says what one core takes when it is not shared. */
export async function benchHttp(platform: Platform, say: (line: string) => void): Promise<Measurement[]> {
  const fleet = createFleet(NODES);
  const nowMs = Math.floor(Date.now() / WINDOW_MS) * WINDOW_MS;
  const ingest = await startHttpIngest(platform, fleet);
  const rounds: Sent[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const ends = Array.from(
        { length: WINDOWS_IN_ROUND },
        (_, i) => nowMs - (round * WINDOWS_IN_ROUND + i) * WINDOW_MS,
      );
      rounds.push(await ingest.send(fleet, ends));
    }
  } finally {
    await ingest.stop();
  }
  const rows = NODES * WINDOWS_IN_ROUND * HISTOGRAMS_A_BATCH;
  const seconds = median(rounds.map((round) => round.seconds));
  const cpuSeconds = median(rounds.map((round) => round.cpuSeconds));
  say(`Over HTTP the ingest took ${((cpuSeconds / rows) * 1e6).toFixed(1)} us of processor time a row.`);
  const against = { name: "30,000 a second", value: 30_000 };
  return [
    { name: "histogram rows over HTTP, one ingest", value: rows / seconds, unit: "1/s", against },
    { name: "the same, a second of its processor", value: rows / cpuSeconds, unit: "1/s", against },
  ];
}

interface Target {
  readonly port: number;
  readonly keys: ReadonlyMap<string, string>;
  readonly agent: Agent;
}

interface Sent {
  /** From the first batch to the last answer. */
  readonly seconds: number;
  /** Processor time that the ingest took. */
  readonly cpuSeconds: number;
}

interface HttpIngest {
  send(fleet: Fleet, windowEndsMs: readonly number[]): Promise<Sent>;
  stop(): Promise<void>;
}

async function startHttpIngest(platform: Platform, fleet: Fleet): Promise<HttpIngest> {
  const keys = await keysOf(platform, fleet);
  const ingest = await startIngest(platform);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const target = { port: ingest.port, keys, agent };
  return {
    send: (of, windowEndsMs) => send(target, ingest, of, windowEndsMs),
    stop: async () => {
      agent.destroy();
      await ingest.stop();
    },
  };
}

async function send(
  target: Target,
  ingest: IngestProcess,
  fleet: Fleet,
  windowEndsMs: readonly number[],
): Promise<Sent> {
  const batches = windowEndsMs.flatMap((endMs) =>
    fleet.batches(endMs).map((batch) => ({ key: target.keys.get(batch.nodeId) ?? "", body: bytesOf(batch) })),
  );
  const startedMs = performance.now();
  const cpuBefore = ingest.cpuSeconds();
  const rest = batches.values();
  const work = async (): Promise<void> => {
    for (const { key, body } of rest) await post(target, key, body);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return { seconds: (performance.now() - startedMs) / 1000, cpuSeconds: ingest.cpuSeconds() - cpuBefore };
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

/** Nodes as enrolment makes them, all at once. */
async function keysOf({ db }: Platform, { nodeIds }: Fleet): Promise<ReadonlyMap<string, string>> {
  const keys = new Map(nodeIds.map((nodeId) => [nodeId, `slk_${randomBytes(32).toString("base64url")}`]));
  await db.node.createMany({
    data: nodeIds.map((id, i) => ({ id, name: `n${i}`, vault: "bench", role: "stash", status: "active" })),
  });
  await db.nodeKey.createMany({
    data: [...keys].map(([nodeId, key]) => ({
      id: randomUUID(),
      nodeId,
      keyHash: createHash("sha256").update(key).digest("hex"),
      lastCharacters: key.slice(-4),
    })),
  });
  return keys;
}
