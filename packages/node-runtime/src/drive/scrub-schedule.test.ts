import { scrubMarks } from "@stashlight/contracts/thresholds";
import { DAY_MS, DAY_SECONDS, HOUR_MS } from "@stashlight/contracts/time";
import { expect, test } from "vitest";
import { type ScrubPace, ScrubSchedule } from "./scrub-schedule.ts";
import { newRound, type ScrubState } from "./scrub-state.ts";

const GB = 1e9;
const ROUND_MS = 30 * DAY_MS;
const CEILING = scrubMarks.bytesPerSecond;
const state = (given: Partial<ScrubState> = {}): ScrubState => ({
  formatVersion: 1,
  driveId: "d",
  firstOpenedMs: 0,
  round: newRound(0),
  demand: null,
  setAside: null,
  last: null,
  total: { bytes: 0, corrupt: 0 },
  ...given,
});
const schedule = (given: Partial<ScrubState> = {}) => new ScrubSchedule(ROUND_MS, state(given));
/** A disk without other work. */
const grant = ({ wanted }: ScrubPace): number => wanted;
/** A disk that is busy with other work all the time. */
const yielding = ({ floor }: ScrubPace): number => floor;
const busy = { isIdle: false, grant } as const;
const verified = (bytes: number) => ({ records: 1, bytes, corrupt: 0, unreadable: 0, repaired: 0 });

const never = (_time: number): boolean => false;

/** Simulates hour by hour, and ends a round as soon as all bytes are read and some budget remains. */
function simulate(
  scrub: ScrubSchedule,
  days: number,
  liveBytes: number,
  { isAway = never, isIdle = never, allow = grant } = {},
) {
  const ages: number[] = [];
  const read = { idle: 0, busy: 0 };
  for (let nowMs = HOUR_MS; nowMs <= days * DAY_MS; nowMs += HOUR_MS) {
    if (!isAway(Math.floor(nowMs / DAY_MS))) {
      const idle = isIdle((nowMs / HOUR_MS) % 24);
      scrub.dueBytes({ nowMs, elapsedMs: 0, liveBytes, isIdle: idle, grant });
      const bytes = Math.min(
        (allow(scrub.pace(nowMs, liveBytes, idle)) * HOUR_MS) / 1000,
        scrub.bytesLeft(liveBytes),
      );
      read[idle ? "idle" : "busy"] += bytes;
      if (!scrub.isResting(nowMs)) scrub.advance(verified(bytes), 1);
      if (scrub.bytesLeft(liveBytes) < 1 && !scrub.isResting(nowMs)) scrub.complete(nowMs);
    }
    ages.push(scrub.oldestUnverifiedMs(nowMs) / ROUND_MS);
  }
  return { ageMax: Math.max(...ages), last: scrub.state.last, read };
}

test.each([
  ["a full drive of 16 TB", 16_000 * GB, 1.7],
  ["a drive of 1 GB", GB, 1.7],
  ["an empty drive", 0, 0.8],
])("the scrub of %s that clients use all year is never late", (_, liveBytes, ageMin) => {
  const { ageMax } = simulate(schedule(), 365, liveBytes);
  expect(ageMax).toBeLessThan(scrubMarks.lateRounds);
  expect(ageMax).toBeGreaterThan(ageMin);
});

test("the scrub of a drive on a disk that others keep busy all year is never late", () => {
  expect(simulate(schedule(), 365, 8000 * GB, { allow: yielding }).ageMax).toBeLessThan(
    scrubMarks.lateRounds,
  );
});

test("a round that gives way is never slower than an even pace, whether it is requested or late", () => {
  const requested = schedule({ demand: { bytesPerSecond: CEILING } });
  expect(requested.pace(0, 27 * GB, false)).toMatchObject({ wanted: CEILING, ceiling: CEILING });
  expect(requested.pace(0, 27 * GB, false).floor).toBeCloseTo(GB / DAY_SECONDS);
  const late = schedule().pace(28 * DAY_MS, 27 * GB, false);
  expect(late.wanted).toBe(CEILING);
  expect(late.floor).toBeCloseTo((scrubMarks.latePaces * GB) / DAY_SECONDS);
});

test("a drive that is idle at night is read only at night", () => {
  const { read, ageMax } = simulate(schedule(), 365, 8000 * GB, { isIdle: (hour) => hour < 8 });
  expect(read.busy / read.idle).toBeLessThan(0.02);
  expect(ageMax).toBeLessThan(scrubMarks.lateRounds);
});

test("a drive that is idle for only an hour per day is read at any time, and is never late", () => {
  const { read, ageMax } = simulate(schedule(), 365, 8000 * GB, { isIdle: (hour) => hour < 1 });
  expect(read.busy).toBeGreaterThan(read.idle);
  expect(ageMax).toBeLessThan(scrubMarks.lateRounds);
});

test("a drive that is always idle rests after each round, and is read no more often than a busy one", () => {
  const idle = simulate(schedule(), 365, 8000 * GB, { isIdle: () => true });
  const busyAllYear = simulate(schedule(), 365, 8000 * GB);
  expect(idle.read.idle / busyAllYear.read.busy).toBeLessThan(1.06);
  expect(idle.ageMax).toBeLessThan(busyAllYear.ageMax * 0.7);
});

test("a round after a rest also covers data written meanwhile", () => {
  const scrub = schedule();
  scrub.setEnd(4);
  scrub.advance(verified(GB), 5);
  scrub.complete(2 * DAY_MS);
  scrub.setEnd(7);
  scrub.dueBytes({ nowMs: 20 * DAY_MS, elapsedMs: 250, liveBytes: GB, isIdle: true, grant });
  expect(scrub.isResting(20 * DAY_MS)).toBe(true);
  expect(scrub.state.round.endGeneration).toBe(7);
  scrub.dueBytes({ nowMs: 28 * DAY_MS, elapsedMs: 250, liveBytes: GB, isIdle: true, grant });
  expect(scrub.isResting(28 * DAY_MS)).toBe(false);
  expect(scrub.state.round).toEqual(newRound(28 * DAY_MS));
});

test("totals over all rounds survive the end of each round", () => {
  const scrub = schedule({ total: { bytes: 3 * GB, corrupt: 2 } });
  scrub.advance({ ...verified(GB), corrupt: 1 }, 5);
  scrub.complete(DAY_MS);
  expect(scrub.state.total).toEqual({ bytes: 4 * GB, corrupt: 3 });
});

test("a drive that was away for half of a round catches up before its end", () => {
  const { last } = simulate(schedule(), 28, 8000 * GB, { isAway: (day) => day < 14 });
  expect(last?.endedMs).toBeLessThan(28 * DAY_MS);
});

test("the rate spreads the remaining bytes over the remaining time, up to the ceiling", () => {
  const scrub = schedule();
  expect(scrub.pace(0, 27 * GB, false).wanted).toBeCloseTo(GB / DAY_SECONDS);
  expect(scrub.pace(13.5 * DAY_MS, 27 * GB, false).wanted).toBeCloseTo((2 * GB) / DAY_SECONDS);
  expect(scrub.pace(0, 27 * GB, true).wanted).toBeCloseTo((scrubMarks.idlePaces * GB) / DAY_SECONDS);
  scrub.advance(verified(13.5 * GB), 4);
  expect(scrub.pace(0, 27 * GB, false).wanted).toBe(0);
  expect(scrub.pace(0, 1e9 * GB, false).wanted).toBe(CEILING);
  expect(scrub.pace(27 * DAY_MS, 0, false).wanted).toBe(CEILING);
});

test("the budget of a tick follows the rate, and a pause is not made up for in a burst", () => {
  const scrub = schedule({ demand: { bytesPerSecond: 1000 } });
  expect(scrub.dueBytes({ nowMs: 0, elapsedMs: 250, liveBytes: GB, ...busy })).toBe(250);
  scrub.advance(verified(200), 1);
  expect(scrub.dueBytes({ nowMs: 0, elapsedMs: 250, liveBytes: GB, ...busy })).toBe(300);
  expect(scrub.dueBytes({ nowMs: 0, elapsedMs: HOUR_MS, liveBytes: GB, ...busy })).toBe(1000);
  scrub.advance(verified(5000), 1);
  expect(scrub.dueBytes({ nowMs: 0, elapsedMs: 1000, liveBytes: GB, ...busy })).toBe(-3000);
});

test("a requested round starts from the beginning, and stopping it resumes the scheduled one where it was", () => {
  const scrub = schedule();
  scrub.advance(verified(500), 7);
  const before = scrub.state.round;
  scrub.start(null, DAY_MS);
  expect(scrub.state).toMatchObject({ demand: { bytesPerSecond: CEILING }, round: newRound(DAY_MS) });
  scrub.advance(verified(20), 2);
  scrub.stop();
  expect(scrub.state).toMatchObject({ demand: null, setAside: null, round: before });
  scrub.stop();
  expect(scrub.state.round).toEqual(before);
});

test("a second request joins the round in progress, and a new rate takes effect", () => {
  const scrub = schedule();
  scrub.start(1000, 0);
  scrub.advance(verified(20), 2);
  scrub.start(null, HOUR_MS);
  expect(scrub.state.round).toMatchObject({ startedMs: 0, bytes: 20 });
  expect(scrub.state.demand?.bytesPerSecond).toBe(1000);
  const { state: joined } = scrub;
  scrub.start(1000, HOUR_MS);
  expect(scrub.state).toBe(joined);
  scrub.start(2000, HOUR_MS);
  expect(scrub.state).toMatchObject({ demand: { bytesPerSecond: 2000 }, round: { bytes: 20 } });
  expect(scrub.pace(HOUR_MS, GB, false).wanted).toBe(2000);
});

test("a completed requested round replaces the scheduled one, and the next begins then", () => {
  const scrub = schedule();
  scrub.start(null, 5 * DAY_MS);
  scrub.advance(verified(20), 2);
  scrub.complete(6 * DAY_MS);
  expect(scrub.state).toMatchObject({ demand: null, setAside: null, round: newRound(6 * DAY_MS) });
  expect(scrub.state.last).toMatchObject({ startedMs: 5 * DAY_MS, endedMs: 6 * DAY_MS, bytes: 20 });
  expect(scrub.oldestUnverifiedMs(7 * DAY_MS)).toBe(2 * DAY_MS);
});

test("the oldest unverified age counts from the first opening until a round has ended", () => {
  const scrub = schedule({ firstOpenedMs: DAY_MS, round: newRound(10 * DAY_MS) });
  expect(scrub.oldestUnverifiedMs(20 * DAY_MS)).toBe(19 * DAY_MS);
});

test("a clock that was a year ahead does not stop the rounds or make an age negative", () => {
  const ahead = 365 * DAY_MS;
  const scrub = schedule({ firstOpenedMs: ahead, round: newRound(ahead) });
  expect(scrub.oldestUnverifiedMs(0)).toBe(0);
  scrub.dueBytes({ nowMs: 0, elapsedMs: 250, liveBytes: GB, ...busy });
  expect(scrub.state.round.startedMs).toBe(0);
});

test("a clock that is set back by an hour does not change the round", () => {
  const scrub = schedule({ round: newRound(HOUR_MS) });
  scrub.dueBytes({ nowMs: 0, elapsedMs: 250, liveBytes: GB, ...busy });
  expect(scrub.state.round.startedMs).toBe(HOUR_MS);
});
