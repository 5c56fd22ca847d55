/** Tests how pages list nodes that fall silent. */
import { beforeAll, beforeEach, expect, test } from "vitest";
import { ensureAlertRules } from "../alert/built-in-rules.ts";
import { newId } from "../ids.ts";
import { useSharedInstallation } from "../testing/index.ts";
import { listNodes } from "./list.ts";
import { listSilences } from "./silence.ts";

const { installation, viewer } = useSharedInstallation("viewer");

beforeAll(async () => {
  await ensureAlertRules(installation.platform);
});
beforeEach(async () => {
  await installation.platform.db.node.deleteMany();
  await installation.platform.db.processHeartbeat.deleteMany();
});

const ago = (seconds: number) => new Date(installation.clock.now().getTime() - seconds * 1000);

async function addNodes(secondsAgo: Readonly<Record<string, number | null>>, vault = "local"): Promise<void> {
  await installation.platform.db.node.createMany({
    data: Object.entries(secondsAgo).map(([name, seconds]) => ({
      id: newId(),
      name,
      vault,
      role: "pod",
      status: "active",
      lastSeenAt: seconds === null ? null : ago(seconds),
    })),
  });
}

/** Adds an ingest that has listened for an hour, with its last heartbeat this long ago. */
async function addIngest(seenSecondsAgo: number, steadySeconds = 3600): Promise<void> {
  await installation.platform.db.processHeartbeat.create({
    data: {
      id: newId(),
      kind: "ingest",
      host: "h",
      pid: 1,
      version: "1",
      rssBytes: 1n,
      startedAt: ago(3600),
      seenAt: ago(seenSecondsAgo),
      steadySince: ago(steadySeconds),
    },
  });
}

test("a vault silent for 25 s is listed, but not one that reports or never did", async () => {
  await addIngest(2);
  await addNodes({ "pod-1": 25, "pod-2": 31 });
  await addNodes({ "pod-3": 24, "pod-4": null }, "films");
  expect(await listSilences({ ctx: viewer.ctx })).toEqual([
    {
      vault: "local",
      nodeCount: 2,
      silentCount: 2,
      seconds: 25,
      nodes: ["pod-1", "pod-2"],
      isAlerted: false,
    },
  ]);
  const nodes = await listNodes({ ctx: viewer.ctx });
  expect(nodes.map(({ name, silentSeconds }) => [name, silentSeconds])).toEqual([
    ["pod-1", 25],
    ["pod-2", 31],
    ["pod-3", null],
    ["pod-4", null],
  ]);
});

test("an ingest that is down or has just come back makes no node silent", async () => {
  await addNodes({ "pod-1": 60 });
  const silences = () => listSilences({ ctx: viewer.ctx });
  expect(await silences()).toEqual([]);
  await addIngest(1, 50);
  expect(await silences()).toEqual([]);
});

test("nodes with a firing alert are marked, so that pages show the problem once", async () => {
  await addIngest(2);
  await addNodes({ "pod-1": 300 });
  const { db } = installation.platform;
  const rule = await db.alertRule.findUniqueOrThrow({ where: { builtInKey: "node-silence" } });
  const at = { since: ago(180), evaluatedAt: ago(5), sampleAt: ago(300) };
  const fires = { ruleId: rule.id, group: '["pod-1"]', labels: { node: "pod-1" }, status: "firing", ...at };
  await db.alertState.create({ data: fires });
  expect(await listSilences({ ctx: viewer.ctx })).toMatchObject([{ isAlerted: true }]);
});

test("a probe that still reports does not hide the silence of all other nodes of its vault", async () => {
  await addIngest(2);
  await addNodes({ "pod-1": 30, "stash-1": 40 });
  await installation.platform.db.node.create({
    data: {
      id: newId(),
      name: "probe-1",
      vault: "local",
      role: "probe",
      status: "active",
      lastSeenAt: ago(1),
    },
  });
  expect(await listSilences({ ctx: viewer.ctx })).toMatchObject([
    { vault: "local", nodeCount: 2, silentCount: 2, nodes: ["pod-1", "stash-1"] },
  ]);
  await installation.platform.db.node.updateMany({ where: { name: "pod-1" }, data: { lastSeenAt: ago(1) } });
  expect(await listSilences({ ctx: viewer.ctx })).toMatchObject([{ nodeCount: 3, silentCount: 1 }]);
});
