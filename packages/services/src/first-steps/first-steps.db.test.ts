import { createBenchmarkPlanInput } from "@stashlight/contracts/benchmark";
import type { UploadTraceData } from "@stashlight/contracts/upload";
import type { FirstStepName } from "@stashlight/contracts/user";
import { deleteTracesBefore } from "@stashlight/db/metrics";
import { expect, test } from "vitest";
import { createBenchmarkPlan } from "../benchmark/create-plan.ts";
import { newId } from "../ids.ts";
import {
  createTestEndpoint,
  createTestNode,
  seedBenchmarkRun,
  useFreshInstallation,
} from "../testing/index.ts";
import { acceptTraces } from "../trace/accept.ts";
import { inviteUser } from "../user/invite.ts";
import { hideFirstSteps, readFirstSteps } from "./index.ts";

const { installation, admin } = useFreshInstallation("admin");

const steps = async (person = admin) => (await readFirstSteps({ ctx: person.ctx })).steps;
const doneSteps = async (person = admin): Promise<FirstStepName[]> =>
  (await steps(person)).filter(({ isDone }) => isDone).map(({ name }) => name);

async function uploadTo(bucket: string, isSimulated = false): Promise<string> {
  const { platform, clock } = installation;
  const node = await createTestNode(platform, `coordinator ${newId()}`, isSimulated);
  const nowMs = clock.now().getTime();
  const uploadId = newId();
  const trace: UploadTraceData = {
    uploadId,
    bucket,
    sizeBytes: 100_000,
    path: "stash",
    result: "stored",
    startedAtMs: nowMs - 60_000,
    totalUs: 10_000,
    keptBecause: ["slowest"],
    verify: { startUs: null, endUs: null },
    encode: { startUs: -2_000, endUs: -500 },
    podQuorumUs: 7_000,
    stashQuorumUs: 9_000,
    quorumUs: 9_500,
    shards: [],
  };
  await acceptTraces({ client: platform.metrics, nodeId: node.id, nowMs, traces: [trace] });
  return uploadId;
}

test("a new installation shows every step as open, to users who can do it", async () => {
  expect((await steps()).map(({ name }) => name)).toEqual([
    ...["vault", "upload", "endpoint", "benchmark", "channel", "colleague", "plan"],
  ]);
  expect(await doneSteps()).toEqual([]);
  const operator = await installation.person("operator");
  expect((await steps(operator)).map(({ name }) => name)).toEqual(["upload", "benchmark", "plan"]);
  expect(await steps(await installation.person("viewer"))).toEqual([]);
});

test("uploads of benchmarks, the demo load and simulated nodes do not count, and a user's own is remembered", async () => {
  const { platform, clock } = installation;
  await createTestEndpoint(platform, { name: "This vault", bucket: "benchmarks" });
  const ownUploadId = async () => (await readFirstSteps({ ctx: admin.ctx })).ownUploadId;
  await uploadTo("benchmarks");
  await uploadTo("demo");
  await uploadTo(".buckets");
  await uploadTo("photos", true);
  expect(await doneSteps()).not.toContain("upload");
  expect(await ownUploadId()).toBeNull();
  await uploadTo("photos");
  expect(await doneSteps()).toContain("upload");
  clock.advance(1_000);
  const newest = await uploadTo("films");
  await uploadTo("demo");
  expect(await ownUploadId()).toBe(newest);
  await deleteTracesBefore(platform.metrics, new Date(clock.now().getTime() + 1));
  expect(await doneSteps()).toContain("upload");
  expect(await ownUploadId()).toBeNull();
});

test("finished steps are detected", async () => {
  const { platform } = installation;
  const { db } = platform;
  const node = await createTestNode(platform, "stash-1");
  await db.node.update({ where: { id: node.id }, data: { lastSeenAt: platform.now() } });
  expect(await doneSteps()).toEqual(["vault"]);

  const endpointId = await createTestEndpoint(platform, { name: "B2" });
  const makeCheck = (findings: object[]) => ({
    checkedAt: platform.now().toISOString(),
    isReachable: true,
    sentence: "",
    findings,
  });
  await db.endpoint.update({ where: { id: endpointId }, data: { lastCheck: makeCheck([]) } });
  expect(await doneSteps()).not.toContain("endpoint");
  const finding = { capability: "read", isSupported: true, evidence: "" };
  await db.endpoint.update({ where: { id: endpointId }, data: { lastCheck: makeCheck([finding]) } });
  expect(await doneSteps()).toEqual(["vault", "endpoint"]);

  const input = createBenchmarkPlanInput.parse({
    name: "B2",
    endpointIds: [endpointId],
    method: { name: "small-uploads" },
    cron: "0 */6 * * *",
  });
  const { planId } = await createBenchmarkPlan({ ctx: admin.ctx, input });
  expect(await doneSteps()).not.toContain("benchmark");
  await seedBenchmarkRun(platform, {
    planId,
    endpoint: { id: endpointId, name: "B2" },
    slotAt: platform.now(),
    wireMs: [1, 2],
  });
  expect(await doneSteps()).toContain("benchmark");

  await inviteUser({ ctx: admin.ctx, input: { email: "grace@example.org", role: "viewer" } });
  expect(await doneSteps()).toEqual(["vault", "endpoint", "benchmark", "colleague"]);
});

test("the list is hidden for its reader only, and can be shown again", async () => {
  const other = await installation.person("operator", "Olga");
  await hideFirstSteps({ ctx: admin.ctx, input: { isHidden: true } });
  expect(await readFirstSteps({ ctx: admin.ctx })).toEqual({ isHidden: true, steps: [], ownUploadId: null });
  expect(await steps(other)).toHaveLength(3);
  await hideFirstSteps({ ctx: admin.ctx, input: { isHidden: false } });
  expect(await steps()).toHaveLength(7);
});
