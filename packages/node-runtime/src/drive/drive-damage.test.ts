import { expect, test } from "vitest";
import { DamageWatch } from "./drive-damage.ts";

const stats = (recordsCorrupt: number, recordsCorruptTotal: number, recordsRepairedTotal = 0) => ({
  recordsCorrupt,
  counters: { recordsCorruptTotal, recordsRepairedTotal },
});
const failedAt = (offset: number) => ({
  file: "segment-00003",
  offset,
  bytes: 4096,
  cause: "A read failed: EIO: i/o error, read.",
});
const clean = { unreadableCount: 0, last: null };

test("totals continue across boots, and the current count is that of the open log", () => {
  const watch = new DamageWatch();
  watch.readFailed(failedAt(0));
  watch.bootEnded({ recordsCorruptTotal: 5, recordsRepairedTotal: 3 });
  watch.readFailed(failedAt(4096));
  expect(watch.damage(null, undefined, clean)).toEqual({
    corruptCount: null,
    corruptTotal: 5,
    repairedTotal: 3,
    readErrorTotal: 2,
    unreadableCount: 0,
    isCorrelated: false,
  });
  expect(watch.damage(stats(2, 4, 2), undefined, clean)).toMatchObject({
    corruptCount: 2,
    corruptTotal: 9,
    repairedTotal: 5,
  });
});

test("records that the last round could not read count until this round has found as many", () => {
  const last = { unreadableCount: 3 } as never;
  const unreadable = (unreadableCount: number) =>
    new DamageWatch().damage(null, undefined, { unreadableCount, last }).unreadableCount;
  expect([unreadable(0), unreadable(3), unreadable(4)]).toEqual([3, 3, 4]);
});

test("records that the pod could not read count even if the scrub has found none", () => {
  const machine = { damagedCount: 0, unreadableCount: 7, isCorrelated: false };
  expect(new DamageWatch().damage(null, machine, clean).unreadableCount).toBe(7);
});

test("corrupt records of a new boot are reported again even if an earlier boot had reported as many", () => {
  const watch = new DamageWatch();
  expect(watch.check(stats(5, 5), undefined, 0)).toEqual([
    { type: "damaged", corruptNow: 5, corruptCount: 5, readErrorCount: 0 },
  ]);
  watch.bootEnded(stats(5, 5).counters);
  expect(watch.check(stats(1, 1), undefined, 60_000)).toEqual([
    { type: "damaged", corruptNow: 1, corruptCount: 1, readErrorCount: 0 },
  ]);
});

test("a report of failed reads names the place and cause of the first failure since the last report", () => {
  const watch = new DamageWatch();
  const report = (nowMs: number) => watch.check(stats(0, 0), undefined, nowMs);
  for (const offset of [8192, 0]) watch.readFailed(failedAt(offset));
  const damaged = { type: "damaged", corruptNow: 0, corruptCount: 0 };
  expect(report(0)).toEqual([{ ...damaged, readErrorCount: 2, firstReadError: failedAt(8192) }]);
  for (const offset of [12_288, 4096]) watch.readFailed(failedAt(offset));
  expect(report(1000)).toEqual([]);
  expect(report(60_000)).toEqual([{ ...damaged, readErrorCount: 2, firstReadError: failedAt(12_288) }]);
});

test("correlated damage is reported once each time it begins", () => {
  const watch = new DamageWatch();
  const check = (isCorrelated: boolean) =>
    watch.check(stats(0, 0), { damagedCount: 90, unreadableCount: 0, isCorrelated }, 0);
  expect(check(false)).toEqual([]);
  expect(check(true)).toEqual([{ type: "damageCorrelated", damagedCount: 90 }]);
  expect(check(true)).toEqual([]);
  expect(check(false)).toEqual([]);
  expect(check(true)).toHaveLength(1);
});
