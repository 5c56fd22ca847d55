/**
 * CPU cost of an upload's parts without other work: hashing its body, encoding its shards, carrying them to pods and
 * stash and the answers back as frames, and appending them to 20 pod logs and 20 stash logs. `stages.ts FOLDER
 * BODY_BYTES` prints microseconds of CPU time per put, of all threads.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RecordInput } from "@stashlight/shard-log";
import { checksum, encodeBody } from "@stashlight/shard-store";
import { connectTo, type Envelope, listen, type Received } from "@stashlight/transport";
import { type FreshLog, openFreshLog } from "../fresh-log.ts";
import { createKeyRing, nodeKeys } from "../key-ring.ts";

const scheme = { dataShardCount: 16, parityShardCount: 4 };
const SHARD_COUNT = 20;
const CHUNK_BYTES = 65_536;
const ROUNDS = 300;
const WARM_UP_ROUNDS = 300;
/** Twice the appends of all rounds of 1 MiB, so that the measurement includes neither the reserve nor compaction. */
const layout = { segmentBytes: 16_777_216, segmentCount: 8, batchBytesMax: 4_194_304 };

const record: Pick<RecordInput, "type" | "k" | "m" | "placementEpoch" | "meta"> = {
  type: "shard",
  k: scheme.dataShardCount,
  m: scheme.parityShardCount,
  placementEpoch: 1,
  meta: new Uint8Array(200),
};

type Stage = (round: number) => void | Promise<void>;

async function measureCpuUs(stage: Stage): Promise<number> {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await stage(round);
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) await stage(WARM_UP_ROUNDS + round);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / ROUNDS;
}

function hash(body: Uint8Array): void {
  const digests = [createHash("md5"), createHash("sha256")];
  for (let at = 0; at < body.length; at += CHUNK_BYTES) {
    for (const digest of digests) digest.update(body.subarray(at, at + CHUNK_BYTES));
  }
  for (const digest of digests) digest.digest("hex");
}

function makeEnvelopes(round: number, payloads: readonly Uint8Array[]): Envelope[] {
  const upload = {
    uploadId: round.toString(16).padStart(32, "0"),
    kind: "object",
    bucket: "bench",
    key: `block-${round}`,
    order: "018f0000000000010000002a",
    scheme,
    sizeBytes: payloads.length * (payloads[0]?.length ?? 0),
    etag: "5d41402abc4b2a76b9719d911017c592",
    contentType: "application/octet-stream",
    userMetadata: {},
    epoch: 1,
  } as const;
  return payloads.flatMap((payload, shardIndex): Envelope[] => {
    const shard = { upload, shardIndex, payload, payloadCrc: 1 };
    const put = { purpose: "put", isDurable: false, condition: { type: "none" }, bootId: 1 } as const;
    return [
      {
        from: "c0",
        to: `p${shardIndex}`,
        message: { type: "pod.append", shard, ...put, stashDeviceId: shardIndex },
      },
      { from: "c0", to: `s${shardIndex}`, message: { type: "stash.append", shard, podBootId: 1 } },
    ];
  });
}

/** Both ends in this process: 40 shards one way, 40 answers the other. */
async function openFrames(): Promise<{
  send: (envelopes: readonly Envelope[]) => Promise<void>;
  close: () => Promise<void>;
}> {
  const common = { host: "127.0.0.1", tls: null, authorise: () => null, epochOf: () => 1 };
  const ring = createKeyRing("coordinator", "drives");
  const identity = (nodeId: string) => ({ clusterId: "bench", nodeId, bootId: 1 });
  let left = 0;
  let done = (): void => {};
  const connected = Promise.withResolvers<void>();
  const server = await listen({
    ...common,
    identity: identity("coordinator"),
    keys: nodeKeys(ring, "coordinator"),
    port: 0,
    receive: () => {
      left -= 1;
      if (left === 0) done();
    },
    observe: ({ type }) => type === "connected" && connected.resolve(),
  });
  const peer = connectTo({
    ...common,
    identity: identity("drives"),
    keys: nodeKeys(ring, "drives"),
    nodeId: "coordinator",
    port: server.port,
    receive: ({ message, to }: Received) => {
      if (message.type !== "pod.append" && message.type !== "stash.append") return;
      const { upload, shardIndex } = message.shard;
      const { uploadId } = upload;
      peer.send({
        from: to,
        to: "c0",
        message: {
          type: "coordinator.stashAppended",
          uploadId,
          shardIndex,
          deviceId: 1,
          result: "durable",
          podBootId: 1,
        },
      });
    },
    observe: () => {},
  });
  await connected.promise;
  return {
    send: (envelopes) => {
      left = envelopes.length;
      for (const envelope of envelopes) server.send("drives", envelope);
      return new Promise((resolve) => {
        done = resolve;
      });
    },
    close: async () => {
      await peer.close();
      await server.close();
    },
  };
}

/** Appends to all logs, and purges the previous round's records. Resolves when all have answered. */
function append(logs: readonly FreshLog[], payloads: readonly Uint8Array[], round: number): Promise<void> {
  const [uploadId, previousId] = [new Uint8Array(16), new Uint8Array(16)];
  new DataView(uploadId.buffer).setUint32(12, round + 1);
  new DataView(previousId.buffer).setUint32(12, round);
  let left = logs.length;
  return new Promise((resolve, reject) => {
    const appended = (error: Error | null): void => {
      left -= 1;
      if (error !== null) reject(error);
      else if (left === 0) resolve();
    };
    for (const [at, { log }] of logs.entries()) {
      const shardIndex = at % SHARD_COUNT;
      if (round > 0) log.kill([{ uploadId: previousId, shardIndex }]);
      const payload = payloads[shardIndex] as Uint8Array;
      log.append({ ...record, uploadId, shardIndex, versionOrder: uploadId, payload }, appended);
    }
  });
}

async function main(): Promise<void> {
  const [folder = "", bodyBytes] = process.argv.slice(2);
  const body = new Uint8Array(randomBytes(Number(bodyBytes)));
  const payloads = encodeBody(body, scheme);
  const frames = await openFrames();
  const policies = [...Array(SHARD_COUNT).fill("extents"), ...Array(SHARD_COUNT).fill("ring")] as const;
  const logs = await Promise.all(
    policies.map(async (policy, at) => {
      const path = join(folder, `log-${at}`);
      await mkdir(path, { recursive: true });
      return openFreshLog(path, { ...layout, policy });
    }),
  );
  const stages = {
    hashUs: await measureCpuUs(() => hash(body)),
    encodeUs: await measureCpuUs(() => void encodeBody(body, scheme).map(checksum)),
    frameUs: await measureCpuUs((round) => frames.send(makeEnvelopes(round, payloads))),
    logUs: await measureCpuUs((round) => append(logs, payloads, round)),
  };
  process.stdout.write(`${JSON.stringify(stages)}\n`);
  await frames.close();
  await Promise.all(logs.map(({ close }) => close()));
  await rm(folder, { recursive: true });
}

await main();
