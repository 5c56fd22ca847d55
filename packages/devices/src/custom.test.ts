import { expect, test } from "vitest";
import { customDevice, DeviceFigureError, type DeviceFigures } from "./index.ts";

const ssd: DeviceFigures = {
  name: "lab SSD",
  kind: "ssd",
  capacityBytes: 1e12,
  readBytesPerSecond: 3e9,
  writeBytesPerSecond: 1e9,
  readLatencyUs: 90,
  writeLatencyUs: 25,
  readIops: 400_000,
  writeIops: 90_000,
  flushUs: 0,
  hasPowerLossProtection: false,
};
const { readIops: _readIops, writeIops: _writeIops, ...withoutIops } = ssd;

test("customDevice builds a device from the given figures", () => {
  const model = customDevice(ssd);
  expect(model).toMatchObject({
    name: "lab SSD",
    kind: "ssd",
    capacityBytes: 1e12,
    hasPowerLossProtection: false,
  });
  expect(model.serviceTimeUs("read", 3000, 0, null, 0.5)).toBeCloseTo(91);
  expect(
    customDevice({ ...withoutIops, kind: "hdd" }).serviceTimeUs("write", 1000, 0, null, 0.5),
  ).toBeCloseTo(26);
});

test.each<{ figures: DeviceFigures; figure: string; message: string }>([
  {
    figures: { ...ssd, name: " " },
    figure: "name",
    message: "A device has no name: give it one, so that results can show it.",
  },
  {
    figures: { ...ssd, writeBytesPerSecond: 0 },
    figure: "writeBytesPerSecond",
    message: 'writeBytesPerSecond of the device "lab SSD" is 0: give a number above zero.',
  },
  {
    figures: { ...ssd, readLatencyUs: Number.NaN },
    figure: "readLatencyUs",
    message: 'readLatencyUs of the device "lab SSD" is NaN: give a number above zero.',
  },
  {
    figures: { ...ssd, capacityBytes: Number.POSITIVE_INFINITY },
    figure: "capacityBytes",
    message: 'capacityBytes of the device "lab SSD" is Infinity: give a number above zero.',
  },
  {
    figures: { ...ssd, capacityBytes: 1.5 },
    figure: "capacityBytes",
    message: 'capacityBytes of the device "lab SSD" is 1.5: give a whole number of bytes.',
  },
  {
    figures: { ...ssd, flushUs: -1 },
    figure: "flushUs",
    message: 'flushUs of the device "lab SSD" is -1: give a number of at least zero.',
  },
  {
    figures: withoutIops,
    figure: "readIops",
    message: 'readIops of the device "lab SSD" is missing: give a number above zero.',
  },
  {
    figures: { ...ssd, kind: "hdd" },
    figure: "readIops",
    message:
      'readIops of the device "lab SSD" is 400000: leave it out, because an HDD\'s follow from its latency.',
  },
  {
    figures: { ...ssd, kind: "tape" as "ssd" },
    figure: "kind",
    message: 'kind of the device "lab SSD" is tape: give "hdd" or "ssd".',
  },
])("an impossible $figure is refused by name: $message", ({ figures, figure, message }) => {
  let refused: unknown;
  try {
    customDevice(figures);
  } catch (error) {
    refused = error;
  }
  expect(refused).toBeInstanceOf(DeviceFigureError);
  expect(refused).toMatchObject({ figure, message });
});
