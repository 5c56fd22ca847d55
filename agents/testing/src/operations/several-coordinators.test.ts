/** Two coordinators behind one address share nothing but the vault, and clients see one endpoint. */
import { setTimeout as delay } from "node:timers/promises";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Balancer, startBalancer } from "../harness/balancer.ts";
import { createClient, readBody } from "../harness/client.ts";
import { isLong } from "../harness/long-run.ts";
import { useSecondCoordinator } from "../harness/second-coordinator.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const Bucket = "shared";
const second = await useSecondCoordinator();
const used = useVault({ processes: "one a node", amend: second.amend });
let balancer: Balancer;
/** A client with a kept connection uses one coordinator, so each client has its own connection. */
let clients: readonly S3Client[];

beforeAll(async () => {
  const ports = [used.vault.s3Port, Number(new URL(second.endpoint).port)];
  balancer = await startBalancer(ports.map((port) => ({ host: "127.0.0.1", port })));
  const { vault } = used;
  clients = Array.from({ length: 6 }, () => createClient(vault, { endpoint: balancer.endpoint }));
  await until(
    "the bucket is there",
    async () => {
      await used.s3.send(new CreateBucketCommand({ Bucket })).catch(() => {});
      return (await requestStatus(listed("none", clients[1] as S3Client))) === 200;
    },
    60_000,
  );
});
afterAll(() => {
  for (const client of clients ?? []) client.destroy();
  balancer?.close();
});

async function listed(Prefix: string, client: S3Client): Promise<string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }));
  return Contents.flatMap(({ Key }) => Key ?? []);
}

/** Resolves with null without an answer. */
async function requestStatus(request: Promise<unknown>): Promise<number | null> {
  try {
    await request;
    return 200;
  } catch (error) {
    return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? null;
  }
}

/** Retries while the answer asks for it. An attempt that was answered 503 may have taken effect. */
async function settled(ask: () => Promise<unknown>, onBusy = () => {}): Promise<number | null> {
  for (;;) {
    const status = await requestStatus(ask());
    if (status !== 409 && status !== 503) return status;
    if (status === 503) onBusy();
    await delay(10);
  }
}

test("at most one of six clients that create the same key succeeds, and the others are refused with 412", async () => {
  for (let round = 0; round < 10; round += 1) {
    const Key = `first-${round}`;
    let busyCount = 0;
    const create = (client: S3Client, at: number) =>
      settled(
        () => client.send(new PutObjectCommand({ Bucket, Key, Body: `client ${at}`, IfNoneMatch: "*" })),
        () => {
          busyCount += 1;
        },
      );
    const outcomes = await Promise.all(clients.map(create));
    const winners = outcomes.flatMap((status, at) => (status === 200 ? [at] : []));
    expect(outcomes.filter((status) => status === 412)).toHaveLength(outcomes.length - winners.length);
    expect(winners.length).toBeLessThanOrEqual(1);
    expect(winners.length + busyCount).toBeGreaterThan(0);
    const { Body } = await (clients[0] as S3Client).send(new GetObjectCommand({ Bucket, Key }));
    const text = (await readBody(Body)).toString();
    if (winners.length > 0) expect(text).toBe(`client ${winners[0]}`);
  }
  for (const [at, count] of balancer.takenCounts.entries())
    expect(count, `connections of coordinator ${at + 1}`).toBeGreaterThan(0);
});

test("an object stored or deleted at one coordinator shows in the next list of the other", async () => {
  const kept: string[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const [writer, reader] = [clients[turn % 2], clients[(turn + 1) % 2]] as [S3Client, S3Client];
    const Key = `list-${String(turn).padStart(2, "0")}`;
    expect(await settled(() => writer.send(new PutObjectCommand({ Bucket, Key, Body: Key })))).toBe(200);
    kept.push(Key);
    if (turn % 3 === 2) {
      const gone = kept.shift() as string;
      expect(await settled(() => writer.send(new DeleteObjectCommand({ Bucket, Key: gone })))).toBe(200);
    }
    let names: string[] = [];
    await settled(async () => {
      names = await listed("list-", reader);
    });
    expect(names).toEqual(kept);
  }
});

/** Increments the counter, on condition that no other client has; adds each acknowledged value to `counted`. */
async function countUp(
  client: S3Client,
  isOver: () => boolean,
  counted: Map<number, string>,
): Promise<number> {
  let unknownCount = 0;
  for (let turn = 0; !isOver(); turn += 1) {
    try {
      const { Body, ETag } = await client.send(new GetObjectCommand({ Bucket, Key: "counter" }));
      const next = 1 + Number((await readBody(Body)).toString());
      const put = new PutObjectCommand({ Bucket, Key: "counter", Body: `${next}`, IfMatch: ETag });
      const status = await requestStatus(client.send(put));
      if (status === 200) {
        expect(counted.get(next), `${next} was counted twice`).toBeUndefined();
        counted.set(next, `turn ${turn}`);
      } else if (status !== 412 && status !== 409) unknownCount += 1;
    } catch (error) {
      if (error instanceof Error && error.name === "AssertionError") throw error;
    }
    await delay(5);
  }
  return unknownCount;
}

test("a counter that six clients increment conditionally loses no step while one coordinator is killed", async () => {
  const { vault } = used;
  const [first] = clients as [S3Client];
  await settled(() => first.send(new PutObjectCommand({ Bucket, Key: "counter", Body: "0" })));
  const counted = new Map<number, string>();
  let isOver = false;
  const running = Promise.all(clients.map((client) => countUp(client, () => isOver, counted)));
  running.catch(() => {});
  const more = async (count: number) => {
    const target = counted.size + count;
    await until(
      `${count} more steps`,
      () => counted.size >= target,
      60_000,
      () => counted.size,
    );
  };
  await more(20);
  for (const victim of isLong ? ["coordinator-1", "coordinator-2"] : ["coordinator-1"]) {
    await vault.kill([victim]);
    await more(15);
    vault.start([victim]);
    await vault.ready([victim]);
    await more(15);
  }
  isOver = true;
  const unknownCount = (await running).reduce((sum, count) => sum + count, 0);
  let last = -1;
  expect(
    await settled(async () => {
      const { Body } = await first.send(new GetObjectCommand({ Bucket, Key: "counter" }));
      last = Number((await readBody(Body)).toString());
    }),
  ).toBe(200);
  // A step without an answer, or answered 503, may or may not have taken effect.
  const open = Array.from({ length: last }, (_, i) => i + 1).filter((value) => !counted.has(value));
  expect(Math.max(...counted.keys())).toBeLessThanOrEqual(last);
  expect(open.length).toBeLessThanOrEqual(unknownCount);
});
