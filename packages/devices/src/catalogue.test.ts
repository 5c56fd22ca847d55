import { expect, test } from "vitest";
import { allowedMeanWriteBytesPerSecond, driveCatalogue, findDrive } from "./index.ts";
import published from "./published-figures.json" with { type: "json" };

test.each(published.driveDatasheets)("the $model has the figures of its datasheet", (sheet) => {
  const drive = driveCatalogue.find((candidate) => candidate.modelNumber === sheet.modelNumber);
  expect(drive?.kind).toBe(sheet.kind);
  expect(drive?.model).toBe(sheet.model.replace("Seagate ", "").replace("Micron ", ""));
  expect(drive?.capacityBytes.value).toBe(sheet.capacityBytes);
  expect(drive?.readBytesPerSecond.value).toBe(sheet.sustainedReadMBps * 1e6);
  expect(drive?.writeBytesPerSecond.value).toBe(sheet.sustainedWriteMBps * 1e6);
  expect(drive?.read4kIops.value).toBe(sheet.randomRead4kIops);
  expect(drive?.write4kIops.value).toBe(sheet.randomWrite4kIops);
  expect(drive?.priceUsd.value).toBe(sheet.priceUsd);
  const latencyUs = sheet.writeLatencyUs ?? (sheet.rotationalLatencyMs ?? 0) * 1000;
  expect(drive?.writeLatencyUs.value).toBe(latencyUs);
});

test("every figure has a source and a date", () => {
  for (const drive of driveCatalogue) {
    const figures = Object.values(drive).filter((value) => typeof value === "object" && value !== null);
    expect(figures.length).toBeGreaterThanOrEqual(9);
    for (const figure of figures) {
      expect(figure.source).not.toBe("");
      expect(figure.asOf).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
    }
  }
});

test("the 7450 MAX has an allowed mean write rate of 111 MB/s, and the disk has none", () => {
  const allowed = allowedMeanWriteBytesPerSecond(findDrive("micron-7450-max-3.2tb"));
  expect(Math.round((allowed ?? 0) / 1e6)).toBe(111);
  expect(allowedMeanWriteBytesPerSecond(findDrive("seagate-exos-x16-16tb"))).toBeNull();
});
