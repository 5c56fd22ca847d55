import { expect, test } from "vitest";
import { node, nowMs } from "../../../client/testing/node-row.ts";
import { stateOfVault, statusOfNode, vaultRows } from "./vault-rows.ts";

test.each([
  ["reporting", {}, "good"],
  ["silent, no data for 25 s", { silentSeconds: 25.2 }, "bad"],
  ["waiting for the first heartbeat", { lastSeenAt: null }, "unknown"],
  ["waits for approval", { status: "pending" }, "info"],
  ["revoked", { status: "revoked" }, "unknown"],
] as const)("the status of a node reads: %s", (word, part, status) => {
  expect(statusOfNode(node(part))).toEqual({ status, word });
});

test("a vault counts its nodes without revoked ones", () => {
  const nodes = [
    node({}),
    node({ name: "pods-1", role: "pod", silentSeconds: 90 }),
    node({ name: "pods-2", role: "pod", status: "pending", lastSeenAt: null }),
    node({ name: "pods-3", role: "pod", lastSeenAt: null }),
    node({ name: "old", status: "revoked" }),
    node({ name: "elsewhere", vault: "second", isSimulated: true }),
  ];
  expect(vaultRows(nodes)).toMatchObject([
    {
      vault: "local",
      nodeCount: 4,
      activeCount: 3,
      pendingCount: 1,
      silentCount: 1,
      silentSeconds: null,
      unseenCount: 1,
      stashNodeCount: 1,
      podNodeCount: 3,
      lastSeenAt: new Date(nowMs - 5_000),
      isSimulated: false,
    },
    { vault: "second", nodeCount: 1, isSimulated: true },
  ]);
});

test("a probe that reports does not hide the silence of its vault", () => {
  const reportedAt = new Date(nowMs - 27_500);
  const silent = (name: string, silentSeconds: number) =>
    node({ name, silentSeconds, lastSeenAt: reportedAt });
  const probe = node({ name: "probe", role: "probe" });
  const [row] = vaultRows([silent("stash-1", 30), silent("stash-2", 27.5), probe]);
  expect(row).toMatchObject({ silentCount: 2, silentSeconds: 27.5, lastSeenAt: reportedAt });
  expect(vaultRows([silent("stash-1", 30), node({}), probe])).toMatchObject([{ silentSeconds: null }]);
  expect(vaultRows([probe])).toMatchObject([{ silentSeconds: null, lastSeenAt: probe.lastSeenAt }]);
});

test("a vault with old figures is stale instead of good, and otherwise keeps its state", () => {
  const none = { silentSeconds: null, silentCount: 0, pendingCount: 0, unseenCount: 0, activeCount: 28 };
  expect(stateOfVault(none, true)).toEqual({ status: "unknown", word: "stale" });
  const silent = { ...none, silentCount: 1 };
  expect(stateOfVault(silent, true)).toEqual(stateOfVault(silent));
});

test.each([
  [{}, "good", "all nodes report"],
  [{ unseenCount: 28 }, "info", "28 of 28 wait for first heartbeat"],
  [{ unseenCount: 2, pendingCount: 3 }, "info", "3 wait for approval"],
  [{ unseenCount: 2, silentCount: 1 }, "bad", "1 of 28 nodes silent"],
  [{ silentCount: 28, silentSeconds: 27.5 }, "bad", "no data for 27 s"],
] as const)("a vault with the counts %j has the status %s: %s", (counts, status, word) => {
  const none = { silentSeconds: null, silentCount: 0, pendingCount: 0, unseenCount: 0, activeCount: 28 };
  expect(stateOfVault({ ...none, ...counts })).toEqual({ status, word });
});
