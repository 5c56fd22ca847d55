/**
 * CPU time of a 64 KiB shard and its answer between two processes, as frames of the transport and as requests of
 * node:http on persistent connections, alternately.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connectTo, type Envelope, listen, type Received } from "@stashlight/transport";
import { createKeyRing, nodeKeys } from "./key-ring.ts";
import type { Measurement } from "./measurement.ts";
import { median } from "./rounds.ts";

const payload = new Uint8Array(65_536).fill(7);
const inFlight = 16;
const shardsInRound = 4_000;
const warmUpShards = 1_000;
const rounds = 7;

interface Way {
  readonly name: string;
  /** Resolves when the receiver has answered. */
  readonly send: (number: number) => Promise<void>;
  /** Microseconds per shard, of each round. */
  readonly sender: number[];
  readonly receiver: number[];
}

export async function benchTransport(say: (line: string) => void): Promise<Measurement[]> {
  const called = await openCalled();
  const child = fork(new URL("./transport-receiver.ts", import.meta.url), [
    String(called.port),
    JSON.stringify(ring),
  ]);
  try {
    const [{ ports }] = await once(child, "message");
    const framed = await openFramed(ports.framed);
    await called.connected;
    const http = openHttp(ports.http);
    const way = (name: string, send: Way["send"]): Way => ({ name, send, sender: [], receiver: [] });
    const ways = [
      way("framed, receiver calls", called.send),
      way("framed, sender calls", framed.send),
      way("by node:http", http.send),
    ];
    say(`64 KiB shards between two processes, ${inFlight} in flight, ${rounds} rounds in turns.`);
    for (const { send } of ways) await sendAll(send, warmUpShards);
    for (let round = 0; round < rounds; round += 1) for (const each of ways) await measure(each, child);
    await framed.close();
    http.close();
    return wayMeasurements(ways);
  } finally {
    child.disconnect();
    await called.close();
  }
}

function wayMeasurements(ways: readonly Way[]): Measurement[] {
  const http = ways.at(-1) as Way;
  const parts: Record<string, (way: Way) => number> = {
    sender: ({ sender }) => median(sender),
    receiver: ({ receiver }) => median(receiver),
    both: ({ sender, receiver }) => median(sender.map((us, round) => us + (receiver[round] ?? 0))),
  };
  return ways.flatMap((way) =>
    Object.entries(parts).map(([part, of]) => ({
      name: `shard ${way.name}: ${part}`,
      value: of(way),
      unit: "us" as const,
      against: { name: `by node:http: ${part}`, value: of(http) },
    })),
  );
}

async function measure(way: Way, child: ChildProcess): Promise<void> {
  const receiverBefore = await readCpuUs(child);
  const before = process.cpuUsage();
  await sendAll(way.send, shardsInRound);
  const { user, system } = process.cpuUsage(before);
  way.sender.push((user + system) / shardsInRound);
  way.receiver.push(((await readCpuUs(child)) - receiverBefore) / shardsInRound);
}

async function readCpuUs(child: ChildProcess): Promise<number> {
  child.send("cpu");
  const [{ cpu }] = await once(child, "message");
  return cpu.user + cpu.system;
}

async function sendAll(send: Way["send"], count: number): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await send(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

/** Shards that wait for their answer. */
function createWaiting(): {
  receive: (received: Received) => void;
  send: (number: number, by: (envelope: Envelope) => boolean) => Promise<void>;
} {
  const waiting = new Map<string, () => void>();
  return {
    receive: ({ message }) => {
      if (message.type !== "coordinator.podAppended") return;
      waiting.get(message.uploadId)?.();
      waiting.delete(message.uploadId);
    },
    send: (number, by) => {
      const { uploadId, envelope } = makeAppend(number);
      return new Promise((resolve, reject) => {
        waiting.set(uploadId, resolve);
        if (!by(envelope)) reject(new Error("A shard was dropped, though few are in flight."));
      });
    },
  };
}

const ring = createKeyRing("sender", "receiver");
const common = {
  identity: { clusterId: "bench", nodeId: "sender", bootId: 1 },
  keys: nodeKeys(ring, "sender"),
  host: "127.0.0.1",
  tls: null,
  authorise: () => null,
  epochOf: () => 1,
};

/** Opens a connection that this process initiates to the receiver. */
async function openFramed(port: number): Promise<{ send: Way["send"]; close: () => Promise<void> }> {
  const { receive, send } = createWaiting();
  const connected = Promise.withResolvers<void>();
  const peer = connectTo({
    ...common,
    nodeId: "receiver",
    port,
    receive,
    observe: ({ type }) => type === "connected" && connected.resolve(),
  });
  await connected.promise;
  return { send: (number) => send(number, (envelope) => peer.send(envelope)), close: () => peer.close() };
}

/** Opens a connection that the receiver initiates to this process. */
async function openCalled(): Promise<{
  port: number;
  connected: Promise<void>;
  send: Way["send"];
  close: () => Promise<void>;
}> {
  const { receive, send } = createWaiting();
  const connected = Promise.withResolvers<void>();
  const server = await listen({
    ...common,
    port: 0,
    receive,
    observe: ({ type }) => type === "connected" && connected.resolve(),
  });
  return {
    port: server.port,
    connected: connected.promise,
    send: (number) => send(number, (envelope) => server.send("receiver", envelope)),
    close: () => server.close(),
  };
}

function makeAppend(number: number): { uploadId: string; envelope: Envelope } {
  const uploadId = number.toString(16).padStart(32, "0");
  const upload = {
    uploadId,
    kind: "object",
    bucket: "backups",
    key: `2026/block-${number}`,
    order: "018f0000000000010000002a",
    scheme: { dataShardCount: 16, parityShardCount: 4 },
    sizeBytes: 1_048_576,
    etag: "5d41402abc4b2a76b9719d911017c592",
    contentType: "application/octet-stream",
    userMetadata: {},
    epoch: 1,
  } as const;
  const shard = { upload, shardIndex: 0, payload, payloadCrc: 1 };
  return {
    uploadId,
    envelope: {
      from: "c0",
      to: "p0",
      message: {
        type: "pod.append",
        shard,
        purpose: "put",
        isDurable: false,
        condition: { type: "none" },
        bootId: 1,
        stashDeviceId: 0,
      },
    },
  };
}

function openHttp(port: number): { send: Way["send"]; close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  const send = (number: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = {
        "content-length": payload.length,
        "content-type": "application/octet-stream",
        "x-upload-id": number.toString(16).padStart(32, "0"),
        "x-shard": "0",
      };
      const put = request({ host: "127.0.0.1", port, method: "PUT", path: "/shard", agent, headers });
      put.on("error", reject);
      put.on("response", (response) => {
        response.resume();
        response.on("end", resolve);
      });
      put.end(payload);
    });
  return { send, close: () => agent.destroy() };
}
