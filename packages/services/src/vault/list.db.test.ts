import { expect, test } from "vitest";
import { ensureAlertRules } from "../alert/built-in-rules.ts";
import { newId } from "../ids.ts";
import { accept, createTestNode, useSharedInstallation } from "../testing/index.ts";
import { listVaults } from "./list.ts";
import { listVaultStates } from "./list-states.ts";

const { installation } = useSharedInstallation();

test("vaults are listed by name, with whether all of their nodes are simulated or revoked", async () => {
  const { platform } = installation;
  const { ctx } = await installation.person("viewer");
  expect(await listVaults({ ctx })).toEqual([]);
  const [, , old, half] = [
    await createTestNode(platform, "a", false, "vault-10"),
    await createTestNode(platform, "b", true, "vault-2"),
    await createTestNode(platform, "c", false, "gone"),
    await createTestNode(platform, "d", true, "vault-10"),
  ];
  await platform.db.node.updateMany({
    where: { id: { in: [old?.id ?? "", half?.id ?? ""] } },
    data: { status: "revoked" },
  });
  expect(await listVaults({ ctx })).toEqual([
    { name: "gone", isSimulated: false, isRetired: true },
    { name: "vault-2", isSimulated: true, isRetired: false },
    { name: "vault-10", isSimulated: false, isRetired: false },
  ]);
});

test("the nodes of a vault include its probes and leave out revoked ones, as on pages", async () => {
  const { platform } = installation;
  const { ctx } = await installation.person("viewer", "Vera");
  await createTestNode(platform, "pod-1", false, "counted");
  for (const [name, role, status] of [
    ["probe-1", "probe", "active"],
    ["pod-2", "pod", "pending"],
    ["pod-3", "pod", "revoked"],
  ] as const) {
    await platform.db.node.create({ data: { id: newId(), name, vault: "counted", role, status } });
  }
  const states = await listVaultStates({ ctx });
  expect(states.find(({ name }) => name === "counted")).toMatchObject({ nodeCount: 3 });
});

test("a vault's fill and status are dated by the newest window with them, not by the request", async () => {
  const { platform } = installation;
  const { ctx } = await installation.person("viewer", "Fay");
  const endMs = Math.floor(platform.now().getTime() / 5_000) * 5_000 - 20_000;
  const coordinator = await createTestNode(platform, "filled-c", false, "filled");
  const gauges = [
    ["stashlight_vault_taken_bytes", {}, 250],
    ["stashlight_vault_capacity_bytes", {}, 1000],
  ] as const;
  await accept(platform, coordinator.batch({ endMs, gauges }));
  const other = [["stashlight_agent_resident_bytes", {}, 1]] as const;
  await accept(platform, coordinator.batch({ endMs: endMs + 10_000, gauges: other }));
  const states = await listVaultStates({ ctx });
  expect(states.find(({ name }) => name === "filled")).toMatchObject({
    fill: { share: 0.25, atMs: endMs },
    judgedAtMs: endMs,
  });
});

test("the state of a vault is dated by the evaluation of its alerts, although one is about a drive's slow hours", async () => {
  const { platform } = installation;
  const { ctx } = await installation.person("viewer", "Sue");
  await ensureAlertRules(platform);
  await createTestNode(platform, "slow-s", false, "slow");
  const { id: ruleId } = await platform.db.alertRule.findFirstOrThrow({
    where: { builtInKey: "drive-slow" },
  });
  const before = (minutes: number) => new Date(platform.now().getTime() - minutes * 60_000);
  const evaluatedAt = before(0);
  const labels = { node: "slow-s", device: "s0" };
  await platform.db.alertState.create({
    data: {
      ruleId,
      group: JSON.stringify(Object.values(labels)),
      labels,
      status: "firing",
      since: before(60),
      evaluatedAt,
      sampleAt: before(10),
      hasValue: true,
      value: 9,
    },
  });
  const states = await listVaultStates({ ctx });
  expect(states.find(({ name }) => name === "slow")).toMatchObject({
    state: "warning",
    judgedAtMs: evaluatedAt.getTime(),
  });
});
