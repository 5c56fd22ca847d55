import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { useSharedInstallation } from "../../testing/index.ts";
import { rewriteMs, startNodeHeartbeats } from "./heartbeats.ts";

const { installation } = useSharedInstallation();
let nodeIds: string[];
beforeEach(async () => {
  nodeIds = [randomUUID(), randomUUID()];
  await installation.platform.db.node.createMany({
    data: nodeIds.map((id) => ({ id, name: id, vault: "main", role: "pod", status: "active" })),
  });
});

const findNodeRow = (id: string | undefined) =>
  installation.platform.db.node.findUniqueOrThrow({ where: { id: id ?? "" } });
const fail = (error: unknown) => {
  throw error;
};

test("a node's row is written at most once in five seconds, with its latest report", async () => {
  const { platform, clock } = installation;
  const heartbeats = startNodeHeartbeats(platform, fail);
  const [nodeId = ""] = nodeIds;
  const firstAt = clock.now();
  heartbeats.record({ nodeId, seenAt: firstAt, skewMs: 3, agentVersion: "1.2.3", spoolBytes: 10.4 });
  await heartbeats.write();
  expect(await findNodeRow(nodeId)).toMatchObject({
    lastSeenAt: firstAt,
    skewMs: 3,
    agentVersion: "1.2.3",
    spoolBytes: 10n,
  });
  clock.advance(1000);
  heartbeats.record({ nodeId, seenAt: clock.now(), skewMs: -7 });
  await heartbeats.write();
  expect((await findNodeRow(nodeId)).lastSeenAt).toEqual(firstAt);
  clock.advance(rewriteMs);
  await heartbeats.write();
  expect(await findNodeRow(nodeId)).toMatchObject({ skewMs: -7, agentVersion: "1.2.3", spoolBytes: 10n });
  await heartbeats.stop();
});

test("pending heartbeats are written at shutdown", async () => {
  const heartbeats = startNodeHeartbeats(installation.platform, fail);
  const seenAt = installation.clock.now();
  for (const nodeId of nodeIds) heartbeats.record({ nodeId, seenAt });
  await heartbeats.write();
  const laterAt = new Date(seenAt.getTime() + 1);
  for (const nodeId of nodeIds) heartbeats.record({ nodeId, seenAt: laterAt });
  await heartbeats.stop();
  for (const nodeId of nodeIds) expect((await findNodeRow(nodeId)).lastSeenAt).toEqual(laterAt);
});

test("two processes that write the same nodes in opposite orders do not deadlock, and the time never goes back", async () => {
  const { clock } = installation;
  const pair = [installation.platform, installation.anotherPlatform()].map((platform) =>
    startNodeHeartbeats(platform, fail),
  );
  const earlierAt = clock.now();
  const laterAt = new Date(earlierAt.getTime() + 500);
  for (let round = 0; round < 10; round += 1) {
    for (const nodeId of nodeIds) pair[0]?.record({ nodeId, seenAt: laterAt });
    for (const nodeId of nodeIds.toReversed()) pair[1]?.record({ nodeId, seenAt: earlierAt });
    await Promise.all(pair.map((each) => each.write(true)));
  }
  await Promise.all(pair.map((each) => each.stop()));
  for (const nodeId of nodeIds) expect((await findNodeRow(nodeId)).lastSeenAt).toEqual(laterAt);
});
