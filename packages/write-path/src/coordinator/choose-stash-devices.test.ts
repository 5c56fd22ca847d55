/** Tests that late devices keep their place, and failed ones rest until a trial ends their rest. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CoordinatorEffect } from "../effects.ts";
import { stashAddress } from "../messages/index.ts";
import { quorumsOf, schemes } from "../quorums.ts";
import {
  addresseesOf,
  countTo,
  greetedCoordinator,
  messagesOf,
  outcomesIn,
  putOf,
  startedPut,
  threePlusTwo,
  uploadIdOf,
  vaultOf,
} from "../testing/index.ts";
import { placeUpload, STASH_BUDGET_MS, TRIAL_EVERY_MS } from "./choose-stash-devices.ts";

type Coordinator = ReturnType<typeof startedPut>["coordinator"];
type StashResult = "durable" | "full" | "failed" | "rebooted";

/** Returns the devices to which upload `number` of 3+2 sends a shard. */
function devicesOf(coordinator: Coordinator, number: number, changes = {}) {
  const effects = coordinator.take(putOf(number, threePlusTwo, changes));
  return { effects, devices: addresseesOf(effects, "stash.append") };
}

const isDirect = (effects: readonly CoordinatorEffect[]) =>
  messagesOf(effects, "pod.append").every(({ message }) => message.isDurable);

function answer(coordinator: Coordinator, deviceId: number, number: number, result: StashResult = "durable") {
  const shardIndex = coordinator.state.puts.get(uploadIdOf(number))?.placement.indexOf(deviceId) ?? 0;
  const message = { uploadId: uploadIdOf(number), shardIndex, deviceId, result, podBootId: 1 };
  return coordinator.hear(stashAddress(deviceId), { type: "coordinator.stashAppended", ...message });
}

/** A coordinator whose devices all exceeded the budget of upload 7. */
function overrun() {
  const put = startedPut({ scheme: threePlusTwo });
  put.timeout(STASH_BUDGET_MS);
  return put;
}

describe("a late device", () => {
  test("keeps its place until the budget of an upload is used up, and the upload waits for it", () => {
    const put = startedPut({ scheme: threePlusTwo });
    for (const podIndex of countTo(5)) put.appendedOn(podIndex);
    put.coordinator.nowMs += STASH_BUDGET_MS - 1;
    const { effects, devices } = devicesOf(put.coordinator, 8);
    expect(devices).toHaveLength(5);
    expect(isDirect(effects)).toBe(false);
    const outcomes = countTo(5).flatMap((index) => outcomesIn(put.onStash(index)));
    expect(outcomes).toMatchObject([{ type: "stored", path: "stash" }]);
  });

  test("rests after the budget, and is not tried before the next trial is due", () => {
    const { coordinator } = overrun();
    coordinator.nowMs += TRIAL_EVERY_MS - 1;
    expect(devicesOf(coordinator, 8)).toMatchObject({ devices: [] });
  });

  test("is tried at once when it finally answers, and is back in use when it answers the trial in time", () => {
    const { coordinator, placement } = overrun();
    for (const deviceId of placement) answer(coordinator, deviceId ?? -1, 7);
    const trial = devicesOf(coordinator, 8);
    expect(trial.devices).toHaveLength(5);
    expect(isDirect(trial.effects)).toBe(true);
    for (const deviceId of countTo(5)) answer(coordinator, deviceId, 8);
    expect(isDirect(devicesOf(coordinator, 9).effects)).toBe(false);
  });

  test("is tried again, and is not in use yet, if it answers its trial late too", () => {
    const { coordinator } = overrun();
    coordinator.nowMs += TRIAL_EVERY_MS;
    devicesOf(coordinator, 8);
    coordinator.nowMs += TRIAL_EVERY_MS;
    for (const deviceId of countTo(5)) answer(coordinator, deviceId, 8);
    expect(coordinator.state.devices.get(0)?.rest).toEqual({
      nextTrialMs: coordinator.nowMs,
      trialUploadId: uploadIdOf(8),
    });
    expect(isDirect(devicesOf(coordinator, 9).effects)).toBe(true);
  });
});

describe("a device that refuses or fails", () => {
  test.each(["full", "failed"] as const)(
    "rests after it answered `%s`, and the others are used",
    (result) => {
      const put = startedPut({ scheme: threePlusTwo });
      const deviceId = put.placement[0] ?? -1;
      put.onStash(0, result);
      const { effects, devices } = devicesOf(put.coordinator, 8);
      expect(devices).toHaveLength(4);
      expect(devices).not.toContain(stashAddress(deviceId));
      expect(isDirect(effects)).toBe(false);
    },
  );

  test("stays in use if only the pod had restarted", () => {
    const put = startedPut({ scheme: threePlusTwo });
    put.onStash(0, "rebooted");
    expect(devicesOf(put.coordinator, 8).devices).toHaveLength(5);
  });

  test("rests again when it refuses the trial", () => {
    const put = startedPut({ scheme: threePlusTwo });
    const deviceId = put.placement[0] ?? -1;
    put.onStash(0, "full");
    put.coordinator.nowMs += TRIAL_EVERY_MS;
    expect(devicesOf(put.coordinator, 8).devices).toContain(stashAddress(deviceId));
    answer(put.coordinator, deviceId, 8, "full");
    expect(devicesOf(put.coordinator, 9).devices).not.toContain(stashAddress(deviceId));
  });
});

describe("a device whose connection broke", () => {
  test("rests, and uploads that wait for it fall back at once", () => {
    const put = startedPut({ scheme: threePlusTwo });
    const [first, second] = put.placement;
    expect(put.coordinator.take({ type: "deviceLost", deviceId: first ?? -1 })).toEqual([]);
    const effects = put.coordinator.take({ type: "deviceLost", deviceId: second ?? -1 });
    expect(isDirect(effects)).toBe(true);
    expect(put.attempt?.phase).toBe("direct");
    expect(devicesOf(put.coordinator, 8).devices).toEqual([]);
  });

  test("changes nothing if it is not in the vault", () => {
    const put = startedPut({ scheme: threePlusTwo });
    expect(put.coordinator.take({ type: "deviceLost", deviceId: 99 })).toEqual([]);
    expect(devicesOf(put.coordinator, 8).devices).toHaveLength(5);
  });
});

describe("a trial", () => {
  test("is one shard of one upload: the next upload leaves the device out", () => {
    const put = startedPut({ scheme: threePlusTwo });
    put.onStash(0, "full");
    put.coordinator.nowMs += TRIAL_EVERY_MS;
    expect(devicesOf(put.coordinator, 8).devices).toHaveLength(5);
    expect(devicesOf(put.coordinator, 9).devices).toHaveLength(4);
  });

  test.each([{ isDraining: true }, { isQuarantined: true }])(
    "passes over a resting device that takes no new shards (%j), and tries the next one",
    (mark) => {
      const stashDevices = countTo(8).map((deviceId) => {
        return { deviceId, serverId: deviceId, ...(deviceId === 2 ? mark : {}) };
      });
      const { state } = greetedCoordinator(vaultOf(threePlusTwo, { stashDevices }));
      for (const deviceId of [2, 5]) {
        const device = state.devices.get(deviceId);
        if (device) device.rest = { nextTrialMs: 0, trialUploadId: null };
      }
      // A trial needs a place in the upload: not every upload uses every device.
      const tried = countTo(40).flatMap((number) => {
        const placed = placeUpload(state, { uploadId: uploadIdOf(number), isConditional: false }, 1000);
        return placed.isTrial ? placed.placement.filter((deviceId) => deviceId === 2 || deviceId === 5) : [];
      });
      expect(tried).toEqual([5]);
    },
  );

  test("is not made by a conditional upload, whose shards reach the stash only after the vote", () => {
    const { coordinator } = overrun();
    coordinator.nowMs += TRIAL_EVERY_MS;
    const condition = { type: "absent" } as const;
    expect(devicesOf(coordinator, 8, { condition, key: "dog" }).devices).toEqual([]);
    expect(devicesOf(coordinator, 9).devices).toHaveLength(5);
  });

  test("acknowledges its upload by the stash when q devices answer before the pods have flushed", () => {
    const { coordinator } = overrun();
    coordinator.nowMs += TRIAL_EVERY_MS;
    devicesOf(coordinator, 8);
    for (const podIndex of countTo(5)) {
      const message = { uploadId: uploadIdOf(8), podIndex, bootId: 1, result: "written" } as const;
      coordinator.hear(`p${podIndex}`, { type: "coordinator.podAppended", ...message });
    }
    const outcomes = countTo(5).flatMap((deviceId) => outcomesIn(answer(coordinator, deviceId, 8)));
    expect(outcomes).toMatchObject([{ type: "stored", path: "stash" }]);
  });
});

test("an upload on the stash path has q shards on working devices and at most one on trial, for any set of resting devices", () => {
  const scheme = schemes["16+4"];
  const { acknowledge, shardCount } = quorumsOf(scheme);
  const row = fc.record({
    deviceCount: fc.integer({ min: 0, max: 30 }),
    serverCount: fc.integer({ min: 1, max: 7 }),
    resting: fc.array(fc.record({ deviceId: fc.nat(29), isDue: fc.boolean() }), { maxLength: 12 }),
    uploadNumber: fc.nat(1000),
    isConditional: fc.boolean(),
  });
  fc.assert(
    fc.property(row, ({ deviceCount, serverCount, resting, uploadNumber, isConditional }) => {
      const stashDevices = countTo(deviceCount).map((deviceId) => {
        return { deviceId, serverId: deviceId % serverCount };
      });
      const { state } = greetedCoordinator(vaultOf(scheme, { stashDevices }));
      for (const { deviceId, isDue } of resting) {
        const device = state.devices.get(deviceId);
        if (device) device.rest = { nextTrialMs: isDue ? 0 : 2000, trialUploadId: null };
      }
      const wasWorking = new Set([...state.devices].flatMap(([id, { rest }]) => (rest === null ? [id] : [])));
      const uploadId = uploadIdOf(uploadNumber);
      const placed = placeUpload(state, { uploadId, isConditional }, 1000);
      const devices = placed.placement.filter((deviceId) => deviceId !== null);
      const tried = devices.filter((deviceId) => !wasWorking.has(deviceId));
      expect(placed.placement).toHaveLength(shardCount);
      expect(new Set(devices).size).toBe(devices.length);
      expect(placed.isTrial).toBe(tried.length > 0);
      expect(placed.hasStash).toBe(wasWorking.size >= acknowledge);
      if (placed.hasStash) expect(devices.length - tried.length).toBeGreaterThanOrEqual(acknowledge);
      if (placed.hasStash) expect(tried.length).toBeLessThanOrEqual(1);
      if (isConditional) expect(tried).toEqual([]);
      for (const deviceId of tried)
        expect(state.devices.get(deviceId)?.rest).toEqual({
          nextTrialMs: 1000 + TRIAL_EVERY_MS,
          trialUploadId: uploadId,
        });
    }),
    { numRuns: 300 },
  );
});
