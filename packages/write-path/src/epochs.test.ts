/** Tests the reactions of the machines to another epoch of the vault. */
import { expect, test } from "vitest";
import { placeOnStash } from "./placement.ts";
import {
  addresseesOf,
  greetedCoordinator,
  messagesOf,
  servingStash,
  settledPod,
  startedPod,
} from "./testing/machines.ts";
import { startedResolution } from "./testing/resolution.ts";
import {
  countTo,
  identityOf,
  podAppendOf,
  shardOf,
  twoPlusOne,
  uploadIdOf,
  uploadOf,
  vaultOf,
} from "./testing/samples.ts";

const first = vaultOf();
const newDevice = { deviceId: 9, serverId: 9 };
const grown = { ...first, epoch: 2, stashDevices: [...first.stashDevices, newDevice] };
const configured = { type: "configured", config: grown } as const;

test("a settled pod pulls at once from a joining stash device, and stays settled", () => {
  const pod = settledPod();
  expect(addresseesOf(pod.take(configured), "stash.pull")).toEqual(["s9"]);
  expect(pod.state.lifecycle).toBe("settled");
  expect(pod.take(configured)).toEqual([]);
});

test("a pod that is replaying also waits for the device that joined", () => {
  const pod = startedPod();
  pod.take(configured);
  expect([...pod.state.pulls.keys()]).toContain(9);
});

test("a pod stops when another drive has taken its place", () => {
  const pod = settledPod();
  const config = { ...first, epoch: 2, podDriveIds: first.podDriveIds.with(0, "other") };
  expect(pod.take({ type: "configured", config })).toMatchObject([{ type: "halt" }]);
});

test("a pod accepts only uploads of the current epoch", () => {
  const pod = settledPod();
  pod.take(configured);
  const refusalOf = (number: number, epoch: number) =>
    messagesOf(
      pod.hear("c0", podAppendOf(shardOf(uploadOf(number, { epoch }), 0))),
      "coordinator.podRefused",
    );
  expect(refusalOf(1, 1)).toMatchObject([{ message: { reason: "epoch" } }]);
  expect(refusalOf(2, 2)).toEqual([]);
});

test("a coordinator treats a joining device as resting until its first trial, and forgets one that leaves", () => {
  const coordinator = greetedCoordinator();
  coordinator.take(configured);
  expect(coordinator.state.devices.get(9)?.rest).toMatchObject({ trialUploadId: null });
  coordinator.take({ type: "configured", config: { ...first, epoch: 3 } });
  expect([...coordinator.state.devices.keys()]).toEqual(first.stashDevices.map(({ deviceId }) => deviceId));
});

/** Reports the upload absent from every node except device 9, which is silent. */
function hopelessBut9(search: ReturnType<typeof startedResolution>) {
  const { state } = search.coordinator;
  search.timeout();
  for (const deviceId of state.devices.keys()) if (deviceId !== 9) search.stashProbed(deviceId);
  for (const podIndex of state.pods.keys()) search.probed(podIndex, "known");
  search.probed(0, "durable");
  search.probed(1, "durable");
}

test("a coordinator asks a joining device how an upload ended, and counts it as silent until it answers", () => {
  const search = startedResolution();
  const { config } = search.coordinator.state;
  const stashDevices = [...config.stashDevices, newDevice];
  search.coordinator.take({ type: "configured", config: { ...config, epoch: 2, stashDevices } });
  expect(addresseesOf(search.timeout(), "stash.probe")).toContain("s9");
  hopelessBut9(search);
  expect(search.resolution()?.refuse).not.toBe("all");
  search.stashProbed(9);
  expect(search.resolution()?.isRecounting).toBe(true);
});

test("the answers of a device that has left do not count as those of a silent device", () => {
  const search = startedResolution();
  const { config } = search.coordinator.state;
  const [left, silent] = config.stashDevices;
  const stashDevices = config.stashDevices.filter((device) => device !== left);
  for (const { deviceId } of config.stashDevices)
    if (deviceId !== silent?.deviceId) search.stashProbed(deviceId);
  search.coordinator.take({ type: "configured", config: { ...config, epoch: 2, stashDevices } });
  search.timeout();
  for (const podIndex of search.coordinator.state.pods.keys())
    search.probed(podIndex, podIndex < 2 ? "durable" : "known");
  expect(search.resolution()).toMatchObject({ isRecounting: false, refuse: "unknowing" });
});

test("an older epoch changes nothing", () => {
  const [pod, stash, coordinator] = [settledPod(), servingStash(), greetedCoordinator()];
  for (const machine of [pod, stash, coordinator]) {
    machine.take(configured);
    machine.take({ type: "configured", config: first });
    expect(machine.state.config).toBe(grown);
  }
});

test("a stash device lets the pod's new drive pull, and no longer the old one", () => {
  const stash = servingStash();
  const config = { ...first, epoch: 2, podDriveIds: first.podDriveIds.with(0, "other") };
  stash.take({ type: "configured", config });
  const pull = (driveId: string) =>
    stash.hear("p0", { type: "stash.pull", pod: { ...identityOf(0, 2), driveId }, cursor: 0 });
  expect(pull(identityOf(0).driveId)).toEqual([]);
  expect(addresseesOf(pull("other"), "pod.handoff")).toEqual(["p0"]);
});

test.each(["isDraining", "isQuarantined"])("a device with %s gets no shard of any upload", (mark) => {
  const stashDevices = countTo(5).map((deviceId) => ({
    deviceId,
    serverId: deviceId,
    [mark]: deviceId === 2,
  }));
  const config = vaultOf(twoPlusOne, { stashDevices });
  const used = countTo(200).flatMap((number) => placeOnStash(config, uploadIdOf(number), () => true));
  expect([...new Set(used)].sort()).toEqual([0, 1, 3, 4]);
});
