import { expect, test } from "vitest";
import { refuseLoss } from "./replace-machine.ts";

type Pod = Parameters<typeof refuseLoss>[0]["pods"][number];

/** A pod of its own node; two of them are on the machine to be replaced. */
const pod = (index: number, changes: Partial<Pod> = {}): Pod => {
  return { index, node: `pod-${index}`, state: "settled", isWell: true, missing: null, ...changes };
};
const missing = (shardCount: number): Partial<Pod> => {
  return { missing: { shardCount, bytes: shardCount, totalBytes: 100, bytesPerSecond: null } };
};
const away: Partial<Pod> = { state: "failed", isWell: false };
const silent: Partial<Pod> = { state: "silent", isWell: false };
const nodes = [{ id: "pod-0" }, { id: "pod-1" }, { id: "store.stash" }];
const newDrives = { driveIds: { p0: "0".repeat(32) } };

const sentence = (pods: string): string =>
  `${pods} lack shards or have no drive, and some of these may be on`;

test.each<[string, Pod[], string]>([
  ["lacks shards", [pod(0, away), pod(2, missing(1)), pod(3)], "p2"],
  ["is unreachable", [pod(0, away), pod(2), pod(3, away)], "p3"],
  ["lacks shards, and a third is unreachable", [pod(1, away), pod(2, missing(9)), pod(3, away)], "p2, p3"],
])("keeps a machine's drives while another pod %s", (_, pods, lacking) => {
  expect(() => refuseLoss({ pods }, nodes, "store", newDrives)).toThrow(sentence(lacking));
});

test.each<[string, Pod[], Readonly<Record<string, string>>]>([
  [
    "all other pods are well and whole",
    [pod(0, away), pod(1, away), pod(2, missing(0)), pod(3)],
    newDrives.driveIds,
  ],
  ["only its own pods lack shards", [pod(0, missing(5)), pod(1, missing(5)), pod(2)], newDrives.driveIds],
  ["its drives move to the new machine", [pod(0, away), pod(2, missing(1))], {}],
  ["it has no pods", [pod(2, away), pod(3, missing(1))], newDrives.driveIds],
])("replaces a machine without a confirmation if %s", (_, pods, driveIds) => {
  expect(() => refuseLoss({ pods }, nodes, "store", { driveIds })).not.toThrow();
});

test("a pod that does not answer stops the replacement, and the error does not suggest --accept-loss", () => {
  const replace = () =>
    refuseLoss({ pods: [pod(0, silent), pod(2, silent), pod(3, away)] }, nodes, "store", newDrives);
  expect(replace).toThrow("p2 did not answer, so it is unknown whether they lack shards");
  expect(replace).not.toThrow("--accept-loss");
});
