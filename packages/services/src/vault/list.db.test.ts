import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestNode, openTestInstallation, type TestInstallation } from "../testing/index.ts";
import { listVaults } from "./list.ts";

let installation: TestInstallation;

beforeAll(async () => {
  installation = await openTestInstallation();
});
afterAll(() => installation.close());

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
