/** Tests a vault whose nodes share one process, as under npm start with few processors. */
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { readBody, WITHOUT_RETRIES } from "../harness/client.ts";
import { Load, PAUSE_BEFORE_CRASHES_MS as pauseMs } from "../harness/load-clients.ts";
import { useVault } from "../harness/use-vault.ts";

const used = useVault({ processes: "one" }, WITHOUT_RETRIES);

test("nodes in one process reach each other, and kill -9 under load loses nothing", async () => {
  const { vault, s3 } = used;
  const [coordinator = ""] = vault.nodeIdsOf("coordinator");
  const others = vault.nodeIds.filter((id) => id !== coordinator);
  const { connectedNodeIds = [] } = (await vault.health(coordinator)) ?? {};
  expect(connectedNodeIds.toSorted()).toEqual(others.toSorted());
  await s3.send(new CreateBucketCommand({ Bucket: "crashes" }));
  const load = new Load({ s3, bucket: "crashes", concurrency: 2, pauseMs });
  load.start();
  for (let round = 0; round < 3; round += 1) {
    await load.progress(20);
    await vault.kill([coordinator]);
    vault.start(vault.nodeIds);
    await vault.ready();
  }
  await load.progress(10);
  await load.stop();
  expect(await load.verify()).toEqual([]);
});

test("a process with all nodes exits with 0 on SIGTERM, and every upload that it acknowledged is kept", async () => {
  const { vault, s3 } = used;
  const Bucket = "stops";
  await s3.send(new CreateBucketCommand({ Bucket }));
  const keys = Array.from({ length: 20 }, (_, i) => `${i}`);
  const puts = keys.map((Key) =>
    s3.send(new PutObjectCommand({ Bucket, Key, Body: Key.padStart(30_000, ".") })),
  );
  const outcomes = Promise.allSettled(puts);
  await puts[0];
  expect(await vault.end(vault.nodeIds, "SIGTERM")).toEqual([0]);
  const stored = (await outcomes).flatMap(({ status }, at) =>
    status === "fulfilled" ? [keys[at] as string] : [],
  );
  expect(stored.length).toBeGreaterThan(0);
  vault.start(vault.nodeIds);
  await vault.ready();
  for (const Key of stored) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    expect((await readBody(Body)).toString()).toBe(Key.padStart(30_000, "."));
  }
});
