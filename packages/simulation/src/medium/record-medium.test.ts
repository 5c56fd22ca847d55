import { expect, test } from "vitest";
import { MediumBench, makeShard, uploadIdFor } from "../testing/medium-bench.ts";
import { LogMedium } from "./log-medium.ts";
import { RecordMedium } from "./record-medium.ts";

test.each([
  ["records", RecordMedium],
  ["a log", LogMedium],
])(
  "a medium of %s flushes its cache once it is honest again, and only a sync that its node requested fails",
  (_name, MediumOfBench) => {
    const bench = new MediumBench("pod", 1, MediumOfBench);
    bench.start();
    bench.medium.setLying(true);
    bench.append(1);
    bench.medium.flush();
    bench.run();
    expect(bench.told).toEqual(["lied 1"]);
    bench.medium.failNextSync();
    bench.medium.setLying(false);
    bench.run();
    expect(bench.told).toEqual(["lied 1", "durable 1"]);
    bench.heard = [];
    bench.append(2);
    bench.medium.flush();
    bench.run();
    expect(bench.told).toContain("sync failed");
    expect(bench.heard).toContain("flush failed");
  },
);

test("the second of two concurrent syncs does not count shards again that the first made durable", () => {
  const bench = new MediumBench("pod", 1, RecordMedium);
  bench.start();
  bench.append(1);
  bench.medium.flush();
  bench.medium.flush();
  bench.run();
  expect(bench.told).toEqual(["durable 1"]);
});

test.each([
  ["records", RecordMedium],
  ["a log", LogMedium],
])("a medium of %s keeps a shard that was sent twice and killed once", (_name, MediumOfBench) => {
  const bench = new MediumBench("stash", 1, MediumOfBench);
  bench.start();
  bench.append(1, 1);
  expect(bench.positions.get(uploadIdFor(1))).toHaveLength(2);
  bench.kill(1);
  expect(bench.load(1)).toEqual(makeShard(1));
  expect(bench.durable.get(uploadIdFor(1))).toBe(1);
  bench.kill(1);
  expect(bench.durable.get(uploadIdFor(1))).toBe(0);
});

// Answers to writes overtake each other, so with some seeds the later append is answered first.
test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "a shard that was sent twice and killed twice before it was durable is gone (seed %i)",
  (seed) => {
    const bench = new MediumBench("pod", seed, RecordMedium);
    bench.start();
    bench.append(1, 1);
    bench.kill(1);
    bench.kill(1);
    bench.medium.flush();
    bench.run();
    expect(bench.told).toEqual(["killed 1 early"]);
    expect(bench.start().shards).toEqual([]);
  },
);

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "a shard that was sent twice and killed once becomes durable once (seed %i)",
  (seed) => {
    const bench = new MediumBench("pod", seed, RecordMedium);
    bench.start();
    bench.append(1, 1);
    bench.kill(1);
    bench.medium.flush();
    bench.run();
    expect(bench.durable.get(uploadIdFor(1))).toBe(1);
    expect(bench.load(1)).toEqual(makeShard(1));
  },
);
