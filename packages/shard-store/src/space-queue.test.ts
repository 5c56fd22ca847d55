import { expect, test } from "vitest";
import { SpaceQueue } from "./space-queue.ts";

/** A log with space for a given number of records, and a clock that the test moves. */
class Bench {
  roomCount = 0;
  readonly entered: string[] = [];
  readonly givenUp: string[] = [];
  readonly delaysUs: number[] = [];
  flushCount = 0;
  #due: (() => void)[] = [];
  readonly queue = new SpaceQueue(
    (delayUs, action) => {
      this.delaysUs.push(delayUs);
      this.#due.push(action);
    },
    () => {
      this.flushCount += 1;
    },
  );

  submit(name: string, isPatient = false): void {
    const attempt = () => {
      if (this.roomCount === 0) return false;
      this.roomCount -= 1;
      this.entered.push(name);
      return true;
    };
    this.queue.submit(attempt, isPatient ? null : () => this.givenUp.push(name));
  }

  /** Moves the clock to the next attempt. */
  tick(): void {
    for (const action of this.#due.splice(0)) action();
  }
}

test("a removal with space is written at once, and triggers no flush", () => {
  const bench = new Bench();
  bench.roomCount = 2;
  bench.submit("a");
  bench.submit("b");
  expect(bench.entered).toEqual(["a", "b"]);
  expect([bench.flushCount, bench.delaysUs.length]).toEqual([0, 0]);
});

test("removals without space wait in order, and none overtakes another", () => {
  const bench = new Bench();
  bench.submit("a");
  bench.submit("b");
  bench.roomCount = 1;
  bench.submit("c");
  expect(bench.entered).toEqual([]);
  bench.tick();
  expect(bench.entered).toEqual(["a"]);
  bench.roomCount = 9;
  bench.tick();
  expect(bench.entered).toEqual(["a", "b", "c"]);
  expect(bench.queue.waitingCount).toBe(0);
});

test("retries become less frequent while nothing is written, and frequent again after a write", () => {
  const bench = new Bench();
  bench.submit("a", true);
  bench.submit("b", true);
  for (let round = 1; round <= 9; round += 1) bench.tick();
  expect(bench.delaysUs.slice(0, 4)).toEqual([20_000, 40_000, 80_000, 160_000]);
  expect(Math.max(...bench.delaysUs)).toBe(2_000_000);
  expect(bench.flushCount).toBeGreaterThan(9);
  bench.roomCount = 1;
  bench.tick();
  expect(bench.delaysUs.at(-1)).toBe(20_000);
});

test("a tombstone is abandoned after eight seconds, and a promise never", () => {
  const bench = new Bench();
  bench.submit("tombstone");
  bench.submit("promise", true);
  for (let round = 1; round <= 20; round += 1) bench.tick();
  expect(bench.givenUp).toEqual(["tombstone"]);
  expect(bench.queue.waitingCount).toBe(1);
  bench.roomCount = 1;
  bench.tick();
  expect(bench.entered).toEqual(["promise"]);
});

test("a tombstone is refused at once when 1,024 removals are waiting", () => {
  const bench = new Bench();
  for (let number = 0; number < 1024; number += 1) bench.submit(`${number}`);
  expect(bench.givenUp).toEqual([]);
  bench.submit("one more");
  expect(bench.givenUp).toEqual(["one more"]);
});

test("a stopped queue makes no attempts", () => {
  const bench = new Bench();
  bench.submit("a");
  bench.queue.end();
  bench.roomCount = 1;
  bench.tick();
  expect([bench.entered, bench.givenUp]).toEqual([[], []]);
});
