/** Kills every process of a vault in turn, while clients write and read. */
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { WITHOUT_RETRIES } from "../harness/client.ts";
import { Load, PAUSE_BEFORE_CRASHES_MS as pauseMs } from "../harness/load-clients.ts";
import { useVault } from "../harness/use-vault.ts";

const used = useVault({ processes: "one a node" }, WITHOUT_RETRIES);
const bucket = "crashes";

test("the other processes keep serving while one is killed, and nothing is lost, wrong or left on the stash", async () => {
  const { vault, s3 } = used;
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  const load = new Load({ s3, bucket, concurrency: 2, pauseMs });
  load.start();
  await load.progress(20);
  const coordinators = vault.nodeIdsOf("coordinator");
  for (const nodeId of vault.nodeIds) {
    await vault.kill([nodeId]);
    if (!coordinators.includes(nodeId)) await load.progress(20);
    vault.start([nodeId]);
    await vault.ready([nodeId]);
    await load.progress(10);
  }
  await load.stop();
  expect(await load.verify()).toEqual([]);
  await vault.drained();
  expect(await load.verify()).toEqual([]);
});
