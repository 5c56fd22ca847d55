/**
 * Processor time of a 64 KiB shard and its answer between two processes, as frames of the transport and as requests
 * of node:http on connections that stay open, in turns.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connectTo, type Envelope } from "@stashlight/transport";
import type { Measurement } from "./measurement.ts";

const payload = new Uint8Array(65_536).fill(7);
const inFlight = 16;
const shardsInRound = 4_000;
const warmUpShards = 1_000;
const rounds = 7;

interface Way {
  readonly name: string;
  /** Resolves when the receiver has answered. */
  readonly send: (number: number) => Promise<void>;
  /** Microseconds a shard, of each round. */
  readonly sender: number[];
  readonly receiver: number[];
}

export async function benchTransport(say: (line: string) => void): Promise<Measurement[]> {
  const child = fork(new URL("./transport-receiver.ts", import.meta.url));
  try {
    const [{ ports }] = await once(child, "message");
    const framed = await openFramed(ports.framed);
    const http = openHttp(ports.http);
    const ways: Way[] = [
      { name: "framed", send: framed.send, sender: [], receiver: [] },
      { name: "node:http", send: http.send, sender: [], receiver: [] },
    ];
    say(`64 KiB shards between two processes, ${inFlight} in flight, ${rounds} rounds in turns.`);
    for (const { send } of ways) await sendAll(send, warmUpShards);
    for (let round = 0; round < rounds; round += 1) for (const way of ways) await measure(way, child);
    await framed.close();
    http.close();
    return measurementsOf(ways);
  } finally {
    child.disconnect();
  }
}

function measurementsOf([framed, http]: Way[]): Measurement[] {
  const rows = [framed, http].flatMap((way) => (way ? [way] : []));
  const total = (way: Way) => median(way.sender.map((us, round) => us + (way.receiver[round] ?? 0)));
  return rows.flatMap((way) => {
    const row = (part: string, of: (way: Way) => number): Measurement => ({
      name: `a 64 KiB shard ${way.name}, ${part}`,
      value: of(way),
      unit: "us",
      against: { name: `node:http, ${part}`, value: of(http ?? way) },
    });
    return [
      row("sender", ({ sender }) => median(sender)),
      row("receiver", ({ receiver }) => median(receiver)),
      row("both", total),
    ];
  });
}

async function measure(way: Way, child: ChildProcess): Promise<void> {
  const receiverBefore = await cpuUsOf(child);
  const before = process.cpuUsage();
  await sendAll(way.send, shardsInRound);
  const { user, system } = process.cpuUsage(before);
  way.sender.push((user + system) / shardsInRound);
  way.receiver.push(((await cpuUsOf(child)) - receiverBefore) / shardsInRound);
}

async function cpuUsOf(child: ChildProcess): Promise<number> {
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

async function openFramed(port: number): Promise<{ send: Way["send"]; close: () => Promise<void> }> {
  const waiting = new Map<string, () => void>();
  const connected = Promise.withResolvers<void>();
  const peer = connectTo({
    identity: { clusterId: "bench", nodeId: "sender", bootId: 1 },
    nodeId: "receiver",
    host: "127.0.0.1",
    port,
    tls: null,
    authorise: () => null,
    observe: ({ type }) => type === "connected" && connected.resolve(),
    receive: ({ message }) => {
      if (message.type !== "coordinator.podAppended") return;
      waiting.get(message.uploadId)?.();
      waiting.delete(message.uploadId);
    },
  });
  await connected.promise;
  const send = (number: number): Promise<void> => {
    const { uploadId, envelope } = shardOf(number);
    return new Promise((resolve, reject) => {
      waiting.set(uploadId, resolve);
      if (!peer.send(envelope)) reject(new Error("A shard was dropped, though few are in flight."));
    });
  };
  return { send, close: () => peer.close() };
}

function shardOf(number: number): { uploadId: string; envelope: Envelope } {
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

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
