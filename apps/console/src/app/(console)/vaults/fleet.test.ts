import { expect, test } from "vitest";
import { node } from "../../../client/testing/node-row.ts";
import { findPlace, placeVault } from "./fleet.ts";

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
