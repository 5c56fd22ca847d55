/** Tests overload in virtual time. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DELAY_TARGET_MS, Lane, SERVE_WITHIN_MS, SERVICE_MS_MAX, STANDING_MS } from "./lane.ts";
import { overload, smallLane, type Tally } from "./testing.ts";

const steady = (perSecond: number) => () => perSecond;
const tallyOf = (byKey: ReadonlyMap<string, Tally>, key: string): Tally => byKey.get(key) as Tally;

describe("at four times the vault's capacity", () => {
  test.each([20, 100, 1000])("uses at least 95 %% of a capacity of %d uploads per second", (perSecond) => {
    const forMs = 30_000;
    const clients = [{ key: "a", perSecond: 4 * perSecond }];
    const { byKey, waitingCountMax } = overload({ clients, capacity: steady(perSecond), forMs });
    const { served, shed, late, answerMsMax } = tallyOf(byKey, "a");
    expect(served).toBeGreaterThan(0.95 * perSecond * (forMs / 1000));
    expect(shed).toBeGreaterThan(2 * served);
    // No admitted request waited and was then refused.
    expect(late).toBe(0);
    // Requests that arrived before anything was measured may be slightly late.
    expect(answerMsMax).toBeLessThanOrEqual(1.25 * SERVE_WITHIN_MS);
    expect(waitingCountMax).toBeLessThanOrEqual(smallLane.countPerKeyMax);
  });

  test("another key waits less than twice the target delay after the first burst", () => {
    const clients = [
      { key: "a", perSecond: 400 },
      { key: "later", perSecond: 0.5, fromMs: 10_000 },
    ];
    const { byKey } = overload({ clients, capacity: steady(100), forMs: 30_000 });
    expect(tallyOf(byKey, "later").shed).toBe(0);
    expect(tallyOf(byKey, "later").waitMsMax).toBeLessThan(2 * DELAY_TARGET_MS);
    expect([...tallyOf(byKey, "a").reasons]).toContain("queue delay");
  });

  test.each([100, 700, 1400])("all slots are used if work takes %d ms under any load", (latencyMs) => {
    const forMs = 30_000;
    const clients = [{ key: "a", perSecond: 2000 }];
    const { byKey, runningCountMax } = overload({ clients, capacity: steady(2000), forMs, latencyMs });
    expect(runningCountMax).toBe(smallLane.slotsMax);
    const most = (smallLane.slotsMax / latencyMs) * forMs;
    expect(tallyOf(byKey, "a").served).toBeGreaterThan(0.8 * most);
    // Before anything is measured the queue fills up, and part of it is served too late.
    expect(tallyOf(byKey, "a").late).toBeLessThan(smallLane.countPerKeyMax);
  });

  test("runs no more work than can finish in time if items wait for each other", () => {
    const clients = [{ key: "a", perSecond: 80 }];
    const { runningCountMax } = overload({ clients, capacity: steady(20), forMs: 30_000 });
    expect(runningCountMax).toBeLessThanOrEqual((20 * 1.1 * SERVICE_MS_MAX) / 1000);
  });

  test("serves at least 95 % as many requests at 16 times the capacity", () => {
    const servedAt = (times: number) => {
      const clients = [{ key: "a", perSecond: times * 100 }];
      return tallyOf(overload({ clients, capacity: steady(100), forMs: 20_000 }).byKey, "a").served;
    };
    expect(servedAt(16)).toBeGreaterThan(0.95 * servedAt(4));
  });
});

describe("a load within the vault's capacity", () => {
  test("is served completely, without waiting", () => {
    const { byKey } = overload({
      clients: [{ key: "a", perSecond: 90 }],
      capacity: steady(100),
      forMs: 20_000,
    });
    expect(tallyOf(byKey, "a")).toMatchObject({ shed: 0, late: 0, waitMsMax: 0 });
  });

  test("is served in bursts too, if each burst can be answered in time", () => {
    const clients = [{ key: "a", perSecond: 2000, untilMs: 60 }];
    const { byKey } = overload({ clients, capacity: steady(100), forMs: 5000 });
    expect(tallyOf(byKey, "a")).toMatchObject({ served: 120, shed: 0 });
  });
});

describe("a key that sends four times the vault's capacity", () => {
  test("takes nothing from another key that stays below its share", () => {
    const clients = [
      { key: "greedy", perSecond: 400 },
      { key: "modest", perSecond: 30 },
    ];
    const { byKey } = overload({ clients, capacity: steady(100), forMs: 30_000 });
    const modest = tallyOf(byKey, "modest");
    expect(modest.served).toBeGreaterThanOrEqual(0.99 * 900);
    expect(tallyOf(byKey, "greedy").served).toBeGreaterThan(0.95 * 70 * 30);
  });

  test("shares equally with another overloading key that starts later", () => {
    const clients = [
      { key: "first", perSecond: 400 },
      { key: "second", perSecond: 200, fromMs: 5000 },
    ];
    const { byKey } = overload({ clients, capacity: steady(100), forMs: 35_000 });
    const { served } = tallyOf(byKey, "second");
    expect(served).toBeGreaterThan(0.45 * 100 * 30);
    expect(served).toBeLessThan(0.55 * 100 * 30);
  });
});

test("a vault that stalls for five seconds sheds what it cannot serve, and then recovers", () => {
  const capacity = (nowMs: number) => (nowMs >= 5000 && nowMs < 10_000 ? 0 : 100);
  const clients = [{ key: "a", perSecond: 80 }];
  const { byKey, waitingCountMax } = overload({ clients, capacity, forMs: 30_000 });
  const { served, shed, late } = tallyOf(byKey, "a");
  expect(waitingCountMax).toBeLessThan(smallLane.countPerKeyMax);
  expect(shed + late).toBeLessThan(80 * 7);
  expect(served).toBeGreaterThan(80 * 23);
});

describe("the decision to admit", () => {
  /** Returns a lane with 16 running and `count` waiting items, after one item has ended every 10 ms for a second. */
  function waitingLane(count: number): Lane<number> {
    const lane = new Lane<number>({ ...smallLane, slotsMax: 16 });
    const work = { key: "a", cost: 1, bytes: 1, isPatient: false };
    for (let i = 0; i < 16 + 100 + count; i += 1) lane.push(work, i, 0);
    lane.begin(0);
    for (let ms = 10; ms <= 1000; ms += 10) {
      lane.end(work, ms);
      lane.begin(ms);
    }
    return lane;
  }

  test.each([
    [10, null],
    [40, "queue delay"],
    [300, "too late"],
  ] as const)("with %d items queued for longer than a burst at 100 per second is: %s", (count, reason) => {
    expect(waitingLane(count).judge("a", 1, 1000)).toBe(reason);
  });

  test("favours the first request of another key over the next of the flooding key", () => {
    const lane = waitingLane(300);
    expect([lane.judge("a", 1, 1000), lane.judge("b", 1, 1000)]).toEqual(["too late", null]);
  });

  test("admits one request of an idle key at a time, in a vault that is too slow for the flooding key", () => {
    const lane = waitingLane(300);
    // No work ends for five seconds, so the running work alone would take longer than a client waits.
    expect([lane.judge("a", 1, 6000), lane.judge("b", 1, 6000)]).toEqual(["too late", null]);
    lane.push({ key: "b", cost: 1, bytes: 1, isPatient: false }, -1, 6000);
    expect(lane.judge("b", 1, 6000)).toBe("too late");
    lane.end({ key: "a", cost: 1, bytes: 1, isPatient: false }, 6000);
    lane.end({ key: "a", cost: 1, bytes: 1, isPatient: false }, 6000);
    expect(lane.begin(6000).map(({ item }) => item)).toContain(-1);
  });

  test("Retry-After is the time until the waiting work has been served", () => {
    expect(waitingLane(250).retryAfterSeconds(1000)).toBe(3);
    expect(new Lane(smallLane).retryAfterSeconds(0)).toBe(1);
  });

  test("an expected body counts as waiting until it is cancelled or turns out to be slow", () => {
    const lane = waitingLane(5);
    const all = Array.from({ length: 200 }, () => lane.expect("a", 1, 1000));
    expect(lane.judge("a", 1, 1000)).toBe("too late");
    for (const expected of all.slice(0, 100)) lane.callOff(expected);
    expect(lane.judge("a", 1, 1000)).toBe("queue delay");
    expect(lane.judge("a", 1, 2000)).toBeNull();
    for (const expected of all) lane.callOff(expected);
    expect(lane.judge("a", 1, 2000)).toBeNull();
  });

  test("a queue that was recently empty may fill for a burst", () => {
    const lane = waitingLane(0);
    const work = { key: "a", cost: 1, bytes: 1, isPatient: false };
    for (let i = 0; i < 50; i += 1) lane.push(work, i, 1000);
    expect(lane.judge("a", 1, 1000 + STANDING_MS / 2)).toBeNull();
    expect(lane.judge("a", 1, 1000 + 2 * STANDING_MS)).not.toBeNull();
  });
});

test("work that has waited too long is shed, unless it is part of an upload in progress", () => {
  const lane = new Lane<string>({ ...smallLane, slotsMin: 1, slotsMax: 1 });
  const work = { key: "a", cost: 1, bytes: 1, isPatient: false };
  lane.push(work, "runs", 0);
  lane.begin(0);
  lane.push(work, "waits", 10);
  lane.push({ ...work, isPatient: true }, "is patient", 10);
  expect(lane.expire(10 + SERVE_WITHIN_MS - 1)).toEqual([]);
  expect(lane.expire(10 + SERVE_WITHIN_MS)).toEqual(["waits"]);
  lane.end(work, 5000);
  expect(lane.begin(5000)).toEqual([{ item: "is patient", waitedMs: 4990 }]);
});

test("the bytes of running bodies are limited, and a larger body runs alone", () => {
  const lane = new Lane<number>({ ...smallLane, bytesMax: 10, quantum: 100 });
  const works = [6, 4, 1, 50, 3].map((bytes) => ({ key: "a", cost: 1, bytes, isPatient: false }));
  for (const [item, work] of works.entries()) lane.push(work, item, 0);
  const begun = () => lane.begin(0).map(({ item }) => item);
  const end = (item: number) => lane.end(works[item] as (typeof works)[number], 0);
  expect(begun()).toEqual([0, 1]);
  end(0);
  expect(begun()).toEqual([2]);
  end(1);
  expect(begun()).toEqual([]);
  end(2);
  expect(begun()).toEqual([3]);
  end(3);
  expect(begun()).toEqual([4]);
});

test("whatever arrives, each item is served, shed or still queued, and all limits hold", () => {
  const client = fc.record({
    key: fc.constantFrom("a", "b", "c"),
    perSecond: fc.integer({ min: 1, max: 800 }),
    fromMs: fc.integer({ min: 0, max: 1000 }),
  });
  const given = fc.record({
    clients: fc.array(client, { minLength: 1, maxLength: 4 }),
    perSecond: fc.integer({ min: 5, max: 400 }),
  });
  fc.assert(
    fc.property(given, ({ clients, perSecond }) => {
      const forMs = 4000;
      const { byKey, waitingCountMax, runningCountMax } = overload({
        clients,
        capacity: steady(perSecond),
        forMs,
      });
      const arrived = clients.reduce(
        (sum, each) => sum + Math.floor(((forMs - each.fromMs) * each.perSecond) / 1000),
        0,
      );
      const ended = [...byKey.values()].reduce(
        (sum, { served, shed, late }) => sum + served + shed + late,
        0,
      );
      expect(ended).toBeLessThanOrEqual(arrived);
      expect(ended).toBeGreaterThanOrEqual(arrived - waitingCountMax - 1);
      expect(waitingCountMax).toBeLessThanOrEqual(smallLane.countMax);
      expect(runningCountMax).toBeLessThanOrEqual(smallLane.slotsMax);
      for (const { waitMsMax } of byKey.values()) expect(waitMsMax).toBeLessThanOrEqual(SERVE_WITHIN_MS);
    }),
    { numRuns: 60 },
  );
});
