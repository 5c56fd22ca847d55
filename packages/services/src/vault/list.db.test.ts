import { expect, test } from "vitest";
import { newId } from "../ids.ts";
import { createTestNode, useSharedInstallation } from "../testing/index.ts";
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
