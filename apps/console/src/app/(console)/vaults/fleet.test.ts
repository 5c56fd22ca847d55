import type { NodeRow } from "@stashlight/contracts/node";
import { expect, test } from "vitest";
import { findPlace, placeVault, stateOfVault, statusOfNode, vaultRows } from "./fleet.ts";

const nowMs = Date.parse("2026-11-21T12:00:00Z");

const node = (part: Partial<NodeRow>): NodeRow => ({
  id: "0193d7a0-0000-7000-8000-000000000000",
  name: "stash-1",
  vault: "local",
  role: "stash",
  status: "active",
  isSimulated: false,
  agentVersion: null,
  enrolmentTokenId: null,
  createdAt: new Date(nowMs - 3_600_000),
  lastSeenAt: new Date(nowMs - 5_000),
  silentSeconds: null,
  skewMs: null,
  spoolBytes: null,
  s3: null,
  ...part,
});

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
      unseenCount: 1,
      stashNodeCount: 1,
      podNodeCount: 3,
      lastSeenAt: new Date(nowMs - 5_000),
      isSimulated: false,
    },
    { vault: "second", nodeCount: 1, isSimulated: true },
  ]);
});

test.each([
  [{}, "good", "all nodes report"],
  [{ unseenCount: 28 }, "info", "28 of 28 wait for first heartbeat"],
  [{ unseenCount: 2, pendingCount: 3 }, "info", "3 wait for approval"],
  [{ unseenCount: 2, silentCount: 1 }, "bad", "1 of 28 nodes silent"],
] as const)("a vault with the counts %j has the status %s: %s", (counts, status, word) => {
  const none = { silentCount: 0, pendingCount: 0, unseenCount: 0, activeCount: 28 };
  expect(stateOfVault({ ...none, ...counts })).toEqual({ status, word });
});

test.each([
  [{ vault: null, node: null, device: null }, "fleet"],
  [{ vault: "local", node: null, device: null }, "vault"],
  [{ vault: null, node: "stash-1", device: null }, "node"],
  [{ vault: "local", node: "stash-1", device: "s0" }, "device"],
  [{ vault: null, node: "gone", device: "s0" }, "unknown"],
  [{ vault: "gone", node: null, device: null }, "unknown"],
] as const)("the address %j leads to a place of the kind %s", (names, kind) => {
  expect(findPlace(names, [node({})]).kind).toBe(kind);
});

test.each([
  [{ vault: null, node: null, device: null }, null],
  [{ vault: "second", node: null, device: null }, "second"],
  // A link to a node or a drive may omit the vault.
  [{ vault: null, node: "stash-1", device: null }, "local"],
  [{ vault: null, node: "stash-1", device: "s0" }, "local"],
  [{ vault: "gone", node: null, device: null }, null],
] as const)("the place %j belongs to the vault %s", (names, vault) => {
  const nodes = [node({}), node({ name: "elsewhere", vault: "second" })];
  expect(placeVault(findPlace(names, nodes))).toBe(vault);
});
