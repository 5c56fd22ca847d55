import { expect, test } from "vitest";
import { attributeWrites, enduranceBytes, nvmeWrites, writeAmplification } from "./smart-writes.ts";

const attribute = (name: string, value: number) => ({ id: 1, name, raw: { value } });

test.each<[string, readonly ReturnType<typeof attribute>[], number | null, number | null]>([
  ["sectors of the host", [attribute("Total_LBAs_Written", 2000)], 1_024_000, null],
  [
    "units of 32 MiB, and GiB of the flash",
    [attribute("Host_Writes_32MiB", 64), attribute("NAND_Writes_1GiB", 5)],
    2 * 2 ** 30,
    5 * 2 ** 30,
  ],
  [
    "pages of the host and of the drive",
    [
      attribute("Total_LBAs_Written", 1000),
      attribute("Host_Program_Page_Count", 400),
      attribute("FTL_Program_Page_Count", 200),
    ],
    512_000,
    768_000,
  ],
  ["pages before the first write", [attribute("Host_Program_Page_Count", 0)], null, null],
  ["a temperature under a number of writes", [attribute("Temperature_Celsius", 30)], null, null],
])("host and flash writes are read from %s", (_, table, host, flash) => {
  expect(attributeWrites(table)).toEqual({ host, flash });
});

test("the data units of an NVMe drive count thousands of 512 bytes", () => {
  expect(nvmeWrites(2)).toEqual({ host: 1_024_000, flash: null });
  expect(nvmeWrites(undefined)).toEqual({ host: null, flash: null });
});

test.each([
  [1e12, 0.1, 1e13],
  [1e12, 0.04, null],
  [0, 0.5, null],
  [null, 0.5, null],
  [1e12, null, null],
  [1e12, 1.2, 1e12 / 1.2],
])("%s bytes written at a wear of %s leave an endurance of %s", (host, wear, expected) => {
  expect(enduranceBytes(host, wear)).toBe(expected);
});

test("a drive that lacks one of the two counts, or has no writes, has no write amplification", () => {
  expect(writeAmplification({ host: 100, flash: 250 })).toBe(2.5);
  expect(writeAmplification({ host: 0, flash: 1 })).toBeNull();
  expect(writeAmplification({ host: 1, flash: null })).toBeNull();
});
