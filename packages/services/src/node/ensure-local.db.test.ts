import { expect, test } from "vitest";
import { useSharedInstallation } from "../testing/index.ts";
import { enrolNode } from "./enrol.ts";
import { ensureLocalNodes, type LocalNode } from "./ensure-local.ts";
import { listNodes } from "./list.ts";
import { revokeNode } from "./revoke.ts";

const { installation, admin } = useSharedInstallation("admin");

const names = [
  { name: "pod-1", role: "pod" },
  { name: "pod-2", role: "pod" },
  { name: "coordinator-1", role: "coordinator" },
] as const;

const ensure = (keys: Record<string, string>) => {
  const { secret, publicUrl } = installation.platform.options;
  const nodes: LocalNode[] = names.map(({ name, role }) => ({ name, role, key: keys[name] ?? null }));
  return ensureLocalNodes({
    databaseUrl: installation.database.runtimeUrl,
    secret,
    publicUrl,
    vault: "local",
    nodes,
  });
};

test("a vault on one machine enrols all its nodes, and on later starts only those that lost their key", async () => {
  const keys: Record<string, string> = {};
  const enrolMissing = async ({ tokens, missing }: Awaited<ReturnType<typeof ensure>>) => {
    for (const { name, role } of names.filter((each) => missing.includes(each.name))) {
      const token = tokens[role] ?? "";
      keys[name] = (await enrolNode({ ctx: installation.nobody, input: { token, name, role } })).key;
    }
  };
  const first = await ensure(keys);
  expect(first.missing).toEqual(names.map(({ name }) => name));
  expect(Object.keys(first.tokens).sort()).toEqual(["coordinator", "pod"]);
  await enrolMissing(first);
  expect(await ensure(keys)).toEqual({ tokens: {}, missing: [] });
  const nodes = await listNodes({ ctx: admin.ctx });
  expect(nodes.map(({ status }) => status)).toEqual(["active", "active", "active"]);

  // A lost folder, and a key of another installation.
  delete keys["pod-2"];
  keys["coordinator-1"] = `slk_${"x".repeat(43)}`;
  const later = await ensure(keys);
  expect(later.missing).toEqual(["pod-2", "coordinator-1"]);
  await enrolMissing(later);
  expect(await ensure(keys)).toEqual({ tokens: {}, missing: [] });
  expect(await listNodes({ ctx: admin.ctx })).toMatchObject(
    nodes.map(({ id }) => ({ id, status: "active" })),
  );
});

test("a restart does not bring back a node that an admin revoked", async () => {
  const [node] = await listNodes({ ctx: admin.ctx });
  await revokeNode({ ctx: admin.ctx, input: { nodeId: node?.id ?? "", name: "coordinator-1" } });
  const { missing } = await ensure({});
  expect(missing).toEqual(["pod-1", "pod-2"]);
});
