import fc from "fast-check";
import { expect, test } from "vitest";
import { catalogueModel, customDevice, type DeviceOperation } from "./index.ts";
import published from "./published-figures.json" with { type: "json" };

const hdd = catalogueModel("seagate-exos-x16-16tb");
const ssd = catalogueModel("micron-7450-max-3.2tb");
const models = [hdd, ssd];
const MEDIAN = 0.5;
const SHARD_BYTES = 64_000;

const operations = fc.constantFrom<DeviceOperation>("read", "write", "sync");
const draws = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const bytes = fc.integer({ min: 0, max: 2 ** 32 });

test("a 64 kB shard takes the published 4.5 ms on the disk and 27 us on the SSD", () => {
  const { hddMs, hddSeekMs, hddTransferMs, ssdMs } = published.shardWrite64kB;
  const hddUs = hdd.serviceTimeUs("write", SHARD_BYTES, 0, null, MEDIAN);
  const ssdUs = ssd.serviceTimeUs("write", SHARD_BYTES, 0, null, MEDIAN);
  expect(hddUs).toBeCloseTo((hddSeekMs + hddTransferMs) * 1000, -1);
  // The source rounds 4.445 ms up.
  expect(Math.ceil(hddUs / 100) / 10).toBe(hddMs);
  expect(Math.round(ssdUs) / 1000).toBe(ssdMs);
});

test("the published ratio of 167 follows from the rounded times, and is within 3 % unrounded", () => {
  const { hddMs, ssdMs, speedRatio } = published.shardWrite64kB;
  expect(Math.round(hddMs / ssdMs)).toBe(speedRatio);
  const ratio =
    hdd.serviceTimeUs("write", SHARD_BYTES, 0, null, MEDIAN) /
    ssd.serviceTimeUs("write", SHARD_BYTES, 0, null, MEDIAN);
  expect(Math.abs(ratio / speedRatio - 1)).toBeLessThan(0.03);
});

test("an operation that continues the last one saves the positioning, and an fdatasync never does", () => {
  const transferUs = SHARD_BYTES / 261;
  expect(hdd.serviceTimeUs("write", SHARD_BYTES, 4096, 4096, MEDIAN)).toBeCloseTo(transferUs);
  expect(hdd.serviceTimeUs("read", SHARD_BYTES, 4096, 4096, MEDIAN)).toBeCloseTo(transferUs);
  expect(hdd.serviceTimeUs("sync", SHARD_BYTES, 4096, 4096, MEDIAN)).toBeCloseTo(4200 + transferUs);
});

test("an fdatasync costs its flush on top of the write, and only the flush if no data is dirty", () => {
  const device = customDevice({
    name: "measured",
    kind: "ssd",
    capacityBytes: 1e12,
    readBytesPerSecond: 1e9,
    writeBytesPerSecond: 1e9,
    readLatencyUs: 80,
    writeLatencyUs: 20,
    readIops: 1e5,
    writeIops: 1e5,
    flushUs: 400,
    hasPowerLossProtection: false,
  });
  expect(device.serviceTimeUs("sync", 1000, 0, null, MEDIAN)).toBeCloseTo(421);
  expect(device.serviceTimeUs("sync", 0, 0, null, MEDIAN)).toBe(400);
  expect(device.serviceTimeUs("write", 1000, 0, null, MEDIAN)).toBeCloseTo(21);
});

test("a time is finite, never negative, and grows with the bytes and with the draw", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...models),
      operations,
      fc.tuple(bytes, bytes),
      fc.tuple(draws, draws),
      (model, operation, sizes, chances) => {
        const [less = 0, more = 0] = sizes.toSorted((a, b) => a - b);
        const [early = 0, late = 0] = chances.toSorted((a, b) => a - b);
        const timeUs = model.serviceTimeUs(operation, less, 0, null, early);
        expect(timeUs).toBeGreaterThanOrEqual(0);
        expect(timeUs).toBeLessThan(Number.POSITIVE_INFINITY);
        expect(model.serviceTimeUs(operation, more, 0, null, early)).toBeGreaterThanOrEqual(timeUs);
        expect(model.serviceTimeUs(operation, less, 0, null, late)).toBeGreaterThanOrEqual(timeUs);
      },
    ),
  );
});

test("an operation occupies an SSD at most for its duration, and a disk for all of it", () => {
  fc.assert(
    fc.property(operations, bytes, draws, (operation, size, draw) => {
      for (const model of models) {
        const timeUs = model.serviceTimeUs(operation, size, 0, null, draw);
        const occupancyUs = model.occupancyUs(operation, size, timeUs);
        expect(occupancyUs).toBeGreaterThanOrEqual(0);
        expect(occupancyUs).toBeLessThanOrEqual(timeUs);
        if (model.kind === "hdd") expect(occupancyUs).toBe(timeUs);
      }
    }),
  );
});

test("back to back 4 KiB writes reach the SSD's rated IOPS", () => {
  const timeUs = ssd.serviceTimeUs("write", 4096, 0, null, MEDIAN);
  expect(1e6 / ssd.occupancyUs("write", 4096, timeUs)).toBeCloseTo(390_000);
});

test.each([
  { name: "negative bytes", bytes: -1, offset: 0, draw: 0 },
  { name: "endless bytes", bytes: Number.POSITIVE_INFINITY, offset: 0, draw: 0 },
  { name: "bytes that are not a number", bytes: Number.NaN, offset: 0, draw: 0 },
  { name: "a negative offset", bytes: 1, offset: -1, draw: 0 },
  { name: "a draw of 1", bytes: 1, offset: 0, draw: 1 },
  { name: "a negative draw", bytes: 1, offset: 0, draw: -0.1 },
])("a call with $name violates an invariant", ({ bytes: size, offset, draw }) => {
  for (const model of models) {
    expect(() => model.serviceTimeUs("write", size, offset, null, draw)).toThrow(
      /operation (is|are) zero or more|A draw is/,
    );
  }
});
