import { expect, test } from "vitest";
import { placementLimits, placeOnStash, type VaultConfig } from "./placement.ts";
import { type Scheme, schemes } from "./quorums.ts";

function vault(scheme: Scheme, serverCount: number, devicesPerServer: number): VaultConfig {
  const stashDevices = Array.from({ length: serverCount * devicesPerServer }, (_, deviceId) => {
    return { deviceId, serverId: deviceId % serverCount };
  });
  return { epoch: 1, scheme, podDriveIds: [], stashDevices, coordinatorCount: 1 };
}
const uploadIds = Array.from({ length: 2000 }, (_, i) => (i * 2_654_435_761).toString(16).padStart(32, "0"));

test.each([
  ["16+4", 7, 3],
  ["17+3", 10, 2],
  ["15+5", 5, 4],
] as const)(
  "a placement of %s on %i servers uses no device twice, and puts at most %i shards on a server",
  (name, serverCount, shardsMax) => {
    const config = vault(schemes[name], serverCount, 4);
    for (const uploadId of uploadIds) {
      const placement = placeOnStash(config, uploadId, () => true);
      expect(placement).toHaveLength(20);
      expect(new Set(placement).size).toBe(20);
      const counts = new Map<number, number>();
      for (const device of placement)
        counts.set((device ?? 0) % serverCount, (counts.get((device ?? 0) % serverCount) ?? 0) + 1);
      expect(Math.max(...counts.values())).toBeLessThanOrEqual(shardsMax);
    }
    expect(placementLimits(config)).toMatchObject({ survivesServerLoss: true, hasStashPath: true });
  },
);

test("every device gets its share of a shard index, to within half of it", () => {
  const config = vault(schemes["16+4"], 10, 2);
  const counts = new Map<number, number>();
  for (const uploadId of uploadIds) {
    const device = placeOnStash(config, uploadId, () => true)[0] ?? -1;
    counts.set(device, (counts.get(device) ?? 0) + 1);
  }
  expect(counts.size).toBe(20);
  for (const count of counts.values()) expect(Math.abs(count - 100)).toBeLessThan(50);
});

test("a placement skips a device that is down, and leaves one shard without a place if 19 devices are left for 20 shards", () => {
  const config = vault(schemes["16+4"], 7, 3);
  const id = uploadIds[5] ?? "";
  expect(placeOnStash(config, id, (device) => device !== 3)).not.toContain(3);
  const placement = placeOnStash(config, id, (device) => device > 1);
  expect(placement.filter((device) => device === null)).toHaveLength(1);
  expect(placementLimits(vault(schemes["16+4"], 6, 4))).toMatchObject({
    shardsPerServer: 4,
    survivesServerLoss: false,
  });
  expect(placementLimits(vault(schemes["16+4"], 3, 6))).toMatchObject({ hasStashPath: false });
});
