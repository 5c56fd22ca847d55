import { MINUTE_MS } from "@stashlight/contracts/time/duration";
import { expect, test } from "vitest";
import { LiveGrowth } from "./live-growth.ts";

test("growth is known after a quarter of an hour, up to the present", () => {
  const growth = new LiveGrowth();
  expect(growth.growth()).toBeNull();
  growth.note(1000, 0);
  growth.note(4000, 10 * MINUTE_MS);
  expect(growth.growth()).toBeNull();
  growth.note(10_000, 15 * MINUTE_MS);
  expect(growth.growth()).toEqual({ bytesPerSecond: 10, overSeconds: 900 });
  growth.note(1000, 20 * MINUTE_MS);
  expect(growth.growth()).toEqual({ bytesPerSecond: 0, overSeconds: 1200 });
});

test("points older than a day are forgotten", () => {
  const growth = new LiveGrowth();
  growth.note(1_000_000, 0);
  for (let minute = 15; minute <= 3 * 24 * 60; minute += 15) growth.note(minute, minute * MINUTE_MS);
  expect(growth.growth()?.overSeconds).toBe(86_400);
  expect(growth.growth()?.bytesPerSecond).toBeCloseTo(1 / 60);
});
