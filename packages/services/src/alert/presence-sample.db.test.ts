/** Tests that the alert about silent nodes counts the nodes that pages call silent, whatever their clocks. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../ids.ts";
import { listSilences } from "../node/silence.ts";
import { openTestInstallation, type Person, type TestInstallation } from "../testing/index.ts";
import { ensureAlertRules } from "./built-in-rules.ts";
import { listFiring } from "./list-firing.ts";
import { firingAfter } from "./testing/firing-after.ts";

let installation: TestInstallation;
let admin: Person;

beforeAll(async () => {
  installation = await openTestInstallation();
  admin = await installation.person("admin");
  await ensureAlertRules(installation.platform);
  await installation.platform.db.alertRule.deleteMany({ where: { NOT: { builtInKey: "node-silence" } } });
});
afterAll(() => installation.close());

test("nodes that report only wrong times or none are counted as silent once their reports stop arriving", async () => {
  const { db } = installation.platform;
  const names = ["pod-1", "pod-ahead", "pod-behind", "stash-1"];
  await db.node.createMany({
    data: [...names, "probe-1"].map((name) => ({
      id: newId(),
      name,
      vault: "local",
      role: name.slice(0, name.indexOf("-")),
      status: "active",
    })),
  });
  // No window is stored: a node whose clock is ahead has its windows refused, and one that is behind stores old ones.
  const heard = (reporting: readonly string[]) => async () => {
    const now = installation.clock.now();
    await db.node.updateMany({ where: { name: { in: [...reporting] } }, data: { lastSeenAt: now } });
    const ingest = { kind: "ingest", host: "h", pid: 1, version: "1", rssBytes: 1n, seenAt: now };
    await db.processHeartbeat.deleteMany();
    const since = new Date(now.getTime() - 3_600_000);
    await db.processHeartbeat.create({
      data: { ...ingest, id: newId(), startedAt: since, steadySince: since },
    });
  };
  const firing = async (reporting: readonly string[]) => {
    await firingAfter(240_000, { installation, admin, report: heard(reporting) });
    const listed = await listFiring({ ctx: admin.ctx });
    return listed.map(({ labels: { node }, value, groupCount }) => ({ node, value, groupCount }));
  };
  expect(await firing([...names, "probe-1"])).toEqual([]);
  const silent = ["pod-ahead", "pod-behind"].map((node) => ({ node, value: null, groupCount: 4 }));
  expect(await firing(["pod-1", "stash-1", "probe-1"])).toEqual(silent);
  expect(await listSilences({ ctx: admin.ctx })).toMatchObject([
    { nodes: ["pod-ahead", "pod-behind"], silentCount: 2, isAlerted: true },
  ]);
  expect(await firing([...names, "probe-1"])).toEqual([]);
});
