import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { formatDateTime } from "./format.ts";
import { chooseTimeZone, readWallClock, utcOffsetMs } from "./time-zone.ts";

const berlin = "Europe/Berlin";
const at = (text: string) => Date.parse(text);
const hours = (ms: number) => ms / 3_600_000;

beforeEach(() => vi.stubGlobal("window", {}));
afterEach(() => {
  chooseTimeZone(null);
  vi.unstubAllGlobals();
});

test.each([
  ["2026-01-15T12:00:00.250Z", berlin, 1],
  ["2026-07-15T12:00:00Z", berlin, 2],
  ["2026-07-15T12:00:00Z", "Asia/Kolkata", 5.5],
  ["2026-01-15T12:00:00Z", "America/New_York", -5],
  ["2026-01-15T12:00:00Z", "UTC", 0],
])("at %s the clocks in %s are %d h ahead", (instant, zone, ahead) => {
  expect(hours(utcOffsetMs(at(instant), zone))).toBe(ahead);
});

test.each([
  ["2026-07-15T14:00", berlin, "2026-07-15T12:00:00Z"],
  ["2026-07-15T14:00:30.5", berlin, "2026-07-15T12:00:30.500Z"],
  ["2026-07-15T14:00", "America/New_York", "2026-07-15T18:00:00Z"],
  ["2026-10-25T02:30", berlin, "2026-10-25T00:30:00Z"],
  ["2026-03-29T02:30", berlin, "2026-03-29T01:30:00Z"],
  ["2026-03-29T03:30", berlin, "2026-03-29T01:30:00Z"],
])("the time %s on the clocks in %s is read as %s", (wallClock, zone, instant) => {
  expect(new Date(readWallClock(wallClock, zone)).toISOString()).toBe(new Date(instant).toISOString());
});

test("every printed time of a year can be parsed, hour by hour", () => {
  chooseTimeZone("America/New_York");
  for (let ms = at("2026-01-01T00:00:00Z"); ms < at("2027-01-01T00:00:00Z"); ms += 3_600_000) {
    const printed = formatDateTime(ms);
    expect(formatDateTime(readWallClock(printed.replace(" ", "T")))).toBe(printed);
  }
});

test("a chosen zone applies where no zone is named, and only in a browser", () => {
  const noon = at("2026-01-15T12:00:00Z");
  chooseTimeZone("Asia/Kolkata");
  expect(formatDateTime(noon)).toBe("2026-01-15 17:30:00");
  expect(formatDateTime(noon, "UTC")).toBe("2026-01-15 12:00:00");
  chooseTimeZone(null);
  vi.unstubAllGlobals();
  const own = formatDateTime(noon);
  chooseTimeZone("Asia/Kolkata");
  expect(formatDateTime(noon)).toBe(own);
});

test("empty or invalid text is not a time", () => {
  expect(readWallClock("", berlin)).toBeNaN();
  expect(readWallClock("soon", berlin)).toBeNaN();
});
