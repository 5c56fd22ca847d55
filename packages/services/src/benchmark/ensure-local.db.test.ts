import { expect, test } from "vitest";
import { openSecretAccessKey } from "../endpoint/credentials.ts";
import { reachEndpoint } from "../endpoint/target.ts";
import { planDueRuns } from "../schedule/plan-due.ts";
import { accept, auditEvents, createTestNode, useFreshInstallation } from "../testing/index.ts";
import { deleteBenchmarkPlan } from "./delete-plan.ts";
import { ensureLocalBenchmark } from "./ensure-local.ts";
import { listBenchmarkPlans } from "./list-plans.ts";
import { claimSlot } from "./slot/claim.ts";

const { installation } = useFreshInstallation();

const ensure = (changes: { url?: string; secretAccessKey?: string } = {}) => {
  const { databaseUrl, secret, publicUrl } = installation.platform.options;
  const makeAccessKey = (accessKeyId: string) => ({
    accessKeyId,
    secretAccessKey: changes.secretAccessKey ?? `the secret key of ${accessKeyId}`,
  });
  return ensureLocalBenchmark({
    databaseUrl,
    secret,
    publicUrl,
    url: changes.url ?? "http://127.0.0.1:4690",
    region: "us-east-1",
    bucket: "benchmarks",
    label: "measured",
    keys: { stash: makeAccessKey("STASHKEY"), direct: makeAccessKey("DIRECTKEY") },
  });
};
const endpoints = () => installation.platform.db.endpoint.findMany({ orderBy: { name: "desc" } });

test("the first start creates two endpoints and a plan that compares them every 15 minutes", async () => {
  await ensure();
  expect(await endpoints()).toMatchObject([
    { name: "This vault: stash path", kind: "vault", accessKeyId: "STASHKEY" },
    { name: "This vault: direct path", kind: "vault", accessKeyId: "DIRECTKEY" },
  ]);
  const { ctx } = await installation.person("viewer");
  expect(await listBenchmarkPlans({ ctx })).toMatchObject([
    {
      name: "Stash against direct on this machine",
      cron: "*/15 * * * *",
      isBuiltIn: true,
      endpoints: [{ name: "This vault: stash path" }, { name: "This vault: direct path" }],
    },
  ]);
  expect(await auditEvents(installation.platform)).toMatchObject([{ actorName: "npm start" }]);
});

test("the first slot waits for the vault, and is due within a quarter of an hour", async () => {
  await ensure();
  const { platform, clock } = installation;
  const claim = () => claimSlot(platform, { vantageNodeId: null, claimant: "worker", random: Math.random });
  clock.set(new Date());
  const { ctx } = await installation.person("viewer");
  const [plan] = await listBenchmarkPlans({ ctx });
  expect(plan?.lastSlot).toMatchObject({ state: "queued", beginsAt: expect.any(Date) });
  expect(plan?.lastSlot?.beginsAt?.getTime()).toBeGreaterThan(clock.now().getTime());
  expect(await planDueRuns(platform)).toBe(0);
  expect(await claim()).toBeNull();
  clock.advance(181_000);
  expect((await claim())?.runs).toHaveLength(2);
});

test("the local vault is reachable although its address is on this machine", async () => {
  await ensure();
  for (const endpoint of await endpoints()) {
    const { target, credentials } = await reachEndpoint(installation.platform, endpoint);
    expect(target.address).toBe("127.0.0.1");
    expect(credentials.secretAccessKey).toBe(`the secret key of ${endpoint.accessKeyId}`);
  }
});

test("a later start without changes keeps the endpoints' test results", async () => {
  const updates = async () => (await endpoints()).map(({ updatedAt }) => updatedAt.getTime());
  await ensure();
  const first = await updates();
  await ensure();
  expect(await updates()).toEqual(first);
  await ensure({ secretAccessKey: "another secret key of the vault" });
  for (const [i, at] of (await updates()).entries()) expect(at).toBeGreaterThan(first[i] ?? 0);
});

test("a later start updates address and keys, and a deleted plan stays deleted", async () => {
  await ensure();
  const { ctx } = await installation.person("operator");
  const [plan] = await listBenchmarkPlans({ ctx });
  await deleteBenchmarkPlan({ ctx, input: { planId: plan?.id ?? "", name: plan?.name ?? "" } });
  const [before] = await endpoints();
  await ensure({ url: "http://127.0.0.1:4700", secretAccessKey: "another secret key of the vault" });
  const [after] = await endpoints();
  expect(after).toMatchObject({ id: before?.id, url: "http://127.0.0.1:4700" });
  expect(openSecretAccessKey(installation.platform.options.secret, after as NonNullable<typeof after>)).toBe(
    "another secret key of the vault",
  );
  expect(await listBenchmarkPlans({ ctx })).toEqual([]);
});

test("the benchmark of a nearly full vault is skipped with the reason, and runs again once the vault has space", async () => {
  await ensure();
  const { platform, clock } = installation;
  const coordinator = await createTestNode(platform, "local.coordinator-1", false, "local");
  const tell = async (takenBytes: number) => {
    const endMs = clock.now().getTime();
    const batch = coordinator.batch({
      endMs,
      gauges: [
        ["stashlight_vault_taken_bytes", {}, takenBytes],
        ["stashlight_vault_capacity_bytes", {}, 1000],
      ],
    });
    await accept(platform, batch);
  };
  const claim = () => claimSlot(platform, { vantageNodeId: null, claimant: "worker", random: Math.random });
  clock.set(new Date());
  clock.advance(200_000);
  await tell(870);
  expect(await claim()).toBeNull();
  const skipped = await platform.db.scheduleRun.findMany({ where: { state: "skipped" } });
  expect(skipped.map(({ outcome }) => outcome)).toEqual([
    "Skipped: The vault is 87 % full, and this schedule writes to it only below 80 %. Delete objects or enlarge the vault.",
  ]);
  const quarterMs = 15 * 60_000;
  clock.set(new Date(Math.ceil(clock.now().getTime() / quarterMs) * quarterMs));
  await planDueRuns(platform);
  await tell(790);
  expect(await claim()).toMatchObject({ planName: "Stash against direct on this machine" });
});
