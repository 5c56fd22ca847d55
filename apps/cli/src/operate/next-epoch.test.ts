import { type DriveConfig, toVaultEpoch, type VaultEpoch } from "@stashlight/node-runtime/config";
import { describe, expect, test } from "vitest";
import { smallVault } from "../testing.ts";
import {
  nextDeviceNumber,
  withCoordinator,
  withDrain,
  withoutNode,
  withQuarantine,
  withReplacedDrive,
  withReplacedMachine,
  withStashNode,
} from "./next-epoch.ts";

const makeVault = (stashNodeCount: number) => smallVault("test", { podNodeCount: 2, stashNodeCount });

const file = makeVault(3);
const epoch = toVaultEpoch(file);
const drive = { driveId: "0".repeat(32), path: "new" };
const epochDrives = ({ nodes }: VaultEpoch) =>
  nodes.flatMap((node): readonly DriveConfig[] => (node.role === "coordinator" ? [] : node.drives));

test("a replaced drive has a new id and folder in the next epoch, and all others are unchanged", () => {
  const next = withReplacedDrive(epoch, "p1", drive);
  expect(next.epoch).toBe(2);
  const before = epochDrives(epoch).find((each) => "pod" in each && each.pod === 1);
  const changed = epochDrives(next).filter((each, at) => each.driveId !== epochDrives(epoch)[at]?.driveId);
  expect(changed).toEqual([{ ...before, ...drive, isNew: true }]);
  expect(next.nodes.map(({ id }) => id)).toEqual(epoch.nodes.map(({ id }) => id));
});

describe("a machine that is replaced", () => {
  const nodes = epoch.nodes.map((node) => ({
    ...node,
    machine: node.id === "pod-1" ? "store-1" : "store-2",
  }));
  const ofMachines = { ...epoch, nodes };
  const driveIds = { p0: "1".repeat(32), p2: "2".repeat(32) };

  test("has its nodes at the new address with the noted drives, and a repetition changes nothing", () => {
    const note = { address: "198.18.0.9", driveIds };
    const next = withReplacedMachine(ofMachines, "store-1", note);
    if (next === null) throw new Error("There is a next epoch.");
    const [changed] = next.nodes.filter(({ host }) => host === "198.18.0.9");
    expect(changed?.id).toBe("pod-1");
    const epochDriveIds = (of: VaultEpoch) => epochDrives(of).map((each) => each.driveId);
    const others = epochDriveIds(next).filter((id) => !Object.values(driveIds).includes(id));
    expect(epochDriveIds(ofMachines)).toEqual(expect.arrayContaining(others));
    expect(epochDriveIds(next).length - others.length).toBe(
      changed?.role === "pod" ? changed.drives.length : 0,
    );
    expect(withReplacedMachine(next, "store-1", note)).toBeNull();
  });

  test("is unchanged if its drives and its address are", () => {
    expect(withReplacedMachine(ofMachines, "store-1", { address: null, driveIds: {} })).toBeNull();
  });
});

test("a stash server joins with consecutively numbered devices, drains, and leaves", () => {
  const first = epoch.nodes.find(({ role }) => role === "stash");
  if (first?.role !== "stash") throw new Error("The vault has a stash server.");
  const drives = [{ device: nextDeviceNumber(epoch), ...drive }];
  expect(drives[0]?.device).toBe(3);
  const joined = withStashNode(epoch, {
    ...first,
    id: "stash-4",
    port: 20_290,
    adminPort: 20_291,
    stateFolder: "s4",
    drives,
  });
  const draining = withDrain(joined, "stash-4", true, file);
  expect(draining.nodes.at(-1)).toMatchObject({ id: "stash-4", isDraining: true });
  const undone = withDrain(draining, "stash-4", false, file);
  expect(undone.nodes).toEqual(joined.nodes);
  const left = withoutNode(draining, "stash-4");
  expect([left.epoch, left.nodes]).toEqual([4, epoch.nodes]);
  expect(withoutNode(joined, "stash-4", { isLost: true }).nodes).toEqual(epoch.nodes);
});

const quarantine = { sinceMs: 1_000, by: "ann@desk" };

test("a quarantine marks one device, and a release or another drive in its place ends it", () => {
  const marked = withQuarantine(epoch, "s1", quarantine, file);
  const marks = ({ nodes }: VaultEpoch) =>
    nodes.flatMap((node) =>
      node.role === "stash" ? node.drives.map((each) => each.quarantine ?? null) : [],
    );
  expect(marks(marked)).toEqual([null, quarantine, null]);
  expect(toVaultEpoch({ ...file, ...marked })).toEqual(marked);
  expect(withQuarantine(marked, "s1", null, file).nodes).toEqual(epoch.nodes);
  expect(marks(withReplacedDrive(marked, "s1", drive))).toEqual([null, null, null]);
});

test("a coordinator is added after the others, and only the last one can be removed", () => {
  const [first] = epoch.nodes.filter((node) => node.role === "coordinator");
  if (first === undefined) throw new Error("The vault has a coordinator.");
  const place = { port: 20_290, adminPort: 20_291, stateFolder: "c2", s3: { ...first.s3, port: 20_292 } };
  const second = { ...first, ...place, id: "coordinator-2" };
  const added = withCoordinator(epoch, second);
  expect([added.epoch, added.nodes]).toEqual([2, [...epoch.nodes, second]]);
  expect(() => withCoordinator(added, second)).toThrow(/already has a node coordinator-2/);
  expect(() => withoutNode(added, "coordinator-1")).toThrow(
    "Only the last coordinator, coordinator-2, can leave the vault.",
  );
  expect(withoutNode(added, "coordinator-2").nodes).toEqual(epoch.nodes);
});

describe("refuses an impossible change", () => {
  const small = makeVault(2);
  const rows: [string, () => VaultEpoch, RegExp][] = [
    [
      "an unknown drive",
      () => withReplacedDrive(epoch, "p9", drive),
      /^The vault has no drive p9; its drives are p0, /,
    ],
    [
      "an unknown node",
      () => withoutNode(epoch, "attic"),
      /^The vault has no node attic; its nodes are coordinator-1, /,
    ],
    [
      "draining a pod node",
      () => withDrain(epoch, "pod-1", true, file),
      /^pod-1 is a node with the role pod; only stash/,
    ],
    [
      "draining twice",
      () => withDrain(withDrain(epoch, "stash-1", true, file), "stash-1", true, file),
      /is already being drained\.$/,
    ],
    [
      "draining a server that uploads need",
      () => withDrain(toVaultEpoch(small), "stash-1", true, small),
      /^Without stash-1 the stash has fewer than the 2 devices/,
    ],
    [
      "a quarantine below the quorum",
      () => withQuarantine(toVaultEpoch(small), "s0", quarantine, small),
      /^Without s0 1 stash devices would take new shards, and an upload needs 2; release another/,
    ],
    [
      "a quarantine beside a drain below the quorum",
      () => withQuarantine(withDrain(epoch, "stash-1", true, file), "s1", quarantine, file),
      /^Without s1 1 stash devices/,
    ],
    ["a quarantine of a pod", () => withQuarantine(epoch, "p1", quarantine, file), /^p1 is a pod; /],
    ["removing a server that may hold shards", () => withoutNode(epoch, "stash-1"), /drain it first\.$/],
    ["removing pods", () => withoutNode(epoch, "pod-1"), /whose number cannot change/],
    [
      "removing the last coordinator",
      () => withoutNode(epoch, "coordinator-1"),
      /is the last node with the role coordinator\.$/,
    ],
  ];
  test.each(rows)("%s", (_, next, sentence) => {
    expect(next).toThrow(sentence);
  });
});
