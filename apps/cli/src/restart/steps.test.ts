import type { VaultFile, VaultNode } from "@stashlight/node-runtime/config";
import { expect, test } from "vitest";
import { smallVault } from "../testing.ts";
import { orderSteps } from "./steps.ts";

/** Nodes of a vault of 2+1 by machine; pods are counted from 0 in the order in which they are named. */
function vaultOf(machines: Readonly<Record<string, readonly string[]>>): VaultFile {
  const file = smallVault("test", { podNodeCount: 3, stashNodeCount: 3 });
  const take = (id: string, machine: string): VaultNode => {
    const found = file.nodes.find((node) => node.id === id.replace(/^coordinator-\d$/, "coordinator-1"));
    if (found === undefined) throw new Error(`There is no node ${id}.`);
    return { ...found, id, machine };
  };
  const nodes = Object.entries(machines).flatMap(([machine, ids]) => ids.map((id) => take(id, machine)));
  return { ...file, nodes };
}

const processOf = (...nodeIds: string[]) => ({
  instance: `of ${nodeIds[0]}`,
  nodeIds,
  isSupervised: true,
  phase: "serving",
});

const wide = {
  store: ["stash-1", "pod-1"],
  front: ["coordinator-1"],
  both: ["pod-2", "pod-3", "stash-2"],
  more: ["coordinator-2"],
};

test("a machine's agents stay together, coordinators come first, and those that stop uploads last", () => {
  const steps = orderSteps(vaultOf(wide), [
    processOf("stash-1"),
    processOf("pod-1"),
    processOf("pod-2", "pod-3"),
    processOf("stash-2"),
    processOf("coordinator-1"),
    processOf("coordinator-2"),
  ]);
  expect(steps.map(({ machine, nodes }) => [machine, nodes.map(({ id }) => id).join(" ")])).toEqual([
    ["front", "coordinator-1"],
    ["more", "coordinator-2"],
    ["store", "pod-1"],
    ["store", "stash-1"],
    ["both", "stash-2"],
    ["both", "pod-2 pod-3"],
  ]);
  expect(steps.map(({ stopsUploads }) => stopsUploads)).toEqual([
    ...new Array(5).fill(null),
    "it has 2 pods, and an upload can spare 1",
  ]);
});

test.each<[string, Record<string, string[]>, string[][], (string | null)[]]>([
  [
    "pods in agents of their own on one machine stop nothing",
    { front: ["coordinator-1"], other: ["coordinator-2"], store: ["pod-1", "pod-2", "pod-3"] },
    [["coordinator-1"], ["coordinator-2"], ["pod-1"], ["pod-2"], ["pod-3"]],
    [null, null, null, null, null],
  ],
  [
    "the only coordinator stops all uploads",
    { front: ["coordinator-1"], store: ["pod-1"] },
    [["coordinator-1"], ["pod-1"]],
    [null, "it runs the only coordinator"],
  ],
  [
    "both coordinators in one agent stop all uploads",
    { front: ["coordinator-1", "coordinator-2"] },
    [["coordinator-1", "coordinator-2"]],
    ["it runs the only coordinator"],
  ],
])("%s", (_, machines, processes, expected) => {
  const steps = orderSteps(
    vaultOf(machines),
    processes.map((ids) => processOf(...ids)),
  );
  expect(steps.map(({ stopsUploads }) => stopsUploads)).toEqual(expected);
});
