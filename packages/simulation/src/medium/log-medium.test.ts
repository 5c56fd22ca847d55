import { createRandom } from "@stashlight/stats/forkable-random";
import { expect, test } from "vitest";
import { MediumBench, makeShard, uploadIdFor } from "../testing/medium-bench.ts";

const shardNumbers = (shards: Iterable<{ upload: { uploadId: string } }>): number[] =>
  [...shards].map(({ upload }) => Number.parseInt(upload.uploadId, 16)).sort((a, b) => a - b);

test("a shard or a tombstone is read back from the log unchanged", () => {
  const bench = new MediumBench("pod");
  bench.start();
  bench.medium.append(makeShard(1), "data");
  bench.medium.append(makeShard(2, ""), "data");
  bench.run();
  expect(bench.load(1)).toEqual(makeShard(1));
  expect(bench.load(2)).toEqual(makeShard(2, ""));
  bench.medium.flush();
  bench.run();
  bench.medium.powerCut();
  const { shards } = bench.start();
  const headers = [makeShard(1), makeShard(2, "")].map(({ payload: _, ...header }) => header);
  expect(shards).toMatchObject(headers);
  expect(bench.load(1)).toEqual(makeShard(1));
});

test("a stash device reports a shard durable only after the oracle knows that it is", () => {
  const bench = new MediumBench("stash");
  bench.start();
  bench.medium.append(makeShard(1), "data");
  while (bench.heard.length === 0) {
    expect(bench.queue.step(Number.POSITIVE_INFINITY)).toBe(true);
    if (bench.heard.length > 0) expect(bench.told).toEqual(["durable 1"]);
  }
  bench.medium.powerCut();
  expect(shardNumbers(bench.start().shards)).toEqual([1]);
  expect(bench.told).toEqual(["durable 1"]);
});

test("a pod writes a shard first, and the flush makes it durable", () => {
  const bench = new MediumBench("pod", 3);
  bench.start();
  bench.medium.append(makeShard(1), "data");
  while (bench.heard.length === 0) bench.queue.step(Number.POSITIVE_INFINITY);
  expect(bench.told).toEqual([]);
  bench.medium.flush();
  bench.run();
  expect(bench.heard).toEqual(["appended 1", "flushed"]);
  expect(bench.told).toEqual(["durable 1"]);
});

test("a node's promise never to take an upload survives a power cut and the compaction of its segment", () => {
  const bench = new MediumBench("pod");
  bench.start();
  bench.medium.persistRefusal({
    uploadId: uploadIdFor(9),
    isKnowing: true,
    order: makeShard(9).upload.order,
  });
  bench.run();
  expect(bench.heard).toEqual(["refused 9"]);
  for (let number = 10; number < 1000; number += 1) {
    bench.append(number);
    bench.kill(number);
  }
  bench.medium.flush();
  bench.run();
  expect(bench.counters.get("log segment compacted")).toBeGreaterThan(0);
  bench.medium.powerCut();
  expect(bench.counters.get("log segment recycled")).toBeGreaterThan(0);
  expect(bench.start().refusals).toEqual([
    { uploadId: uploadIdFor(9), isKnowing: true, order: makeShard(9).upload.order },
  ]);
  expect(bench.violations).toEqual([]);
});

test("a power cut forgets a kill that did not reach the medium, and counts the shard again", () => {
  const bench = new MediumBench("stash");
  bench.start();
  bench.append(1, 2);
  bench.kill(1);
  bench.medium.powerCut();
  expect(shardNumbers(bench.start().shards)).toEqual([1, 2]);
  expect(bench.told).toEqual(["durable 1", "durable 2", "killed 1", "durable 1"]);
});

test("a checkpoint ends with its process, whose timers are not called any more", () => {
  const bench = new MediumBench("pod");
  bench.start();
  bench.append(1);
  const calls: string[] = [];
  const shell = { hold: () => void calls.push("hold"), letGo: () => void calls.push("let go") };
  bench.medium.checkpoint(shell, () => "never asked");
  while (calls.length === 0) expect(bench.queue.step(Number.POSITIVE_INFINITY)).toBe(true);
  bench.medium.crash();
  bench.run();
  expect(calls).toEqual(["hold"]);
});

test("a false sync is detected at once, and its shards count as durable once the drive is honest again", () => {
  const bench = new MediumBench("stash");
  bench.start();
  bench.medium.setLying(true);
  bench.append(1);
  expect(bench.heard).toEqual(["appended 1"]);
  expect(bench.told).toEqual(["lied 1"]);
  bench.medium.setLying(false);
  expect(bench.told).toEqual(["lied 1", "durable 1"]);
});

test("after a failed sync nothing is accepted until the node restarts, which finds the records on the medium", () => {
  const bench = new MediumBench("stash");
  bench.start();
  bench.append(1);
  bench.medium.failNextSync();
  bench.append(2);
  bench.append(3);
  expect(bench.heard).toEqual(["appended 1", "failed 2", "failed 3"]);
  expect(bench.told).toContain("sync failed");
  expect(bench.load(1)).toEqual(makeShard(1));
  bench.medium.crash();
  const { shards } = bench.start();
  expect(shardNumbers(shards).filter((number) => number !== 2)).toEqual([1]);
  bench.append(3);
  expect(bench.heard.at(-1)).toBe("appended 3");
  expect(bench.violations).toEqual([]);
});

test("a rotten or unreadable shard is lost to the oracle at once, and reported by each scrub until it is replaced", () => {
  const kinds = new Set<string>();
  for (let seed = 1; seed < 10; seed += 1) {
    const bench = new MediumBench("pod", seed);
    bench.start();
    bench.append(1);
    bench.medium.flush();
    bench.run();
    expect(bench.medium.rot()).toBe(true);
    expect(bench.told).toEqual(["durable 1", "lost 1"]);
    bench.heard = [];
    bench.medium.scrub();
    bench.run();
    bench.medium.scrub();
    bench.run();
    const [kind = ""] = bench.heard;
    kinds.add(kind);
    expect(bench.heard).toEqual([kind, kind]);
    // The page cache may still have content that can no longer be read from the medium.
    expect(kind === "unreadable 1" || bench.load(1) === null).toBe(true);
    bench.kill(1);
    bench.append(1);
    expect(bench.load(1)).toEqual(makeShard(1));
    // Only data on the medium can rot: the copy that has not been flushed may have been written back already.
    const isWrittenBack = bench.told.lastIndexOf("durable 1") > bench.told.indexOf("lost 1");
    expect(bench.medium.rot()).toBe(isWrittenBack);
  }
  expect([...kinds].sort()).toEqual(["corrupt 1", "unreadable 1"]);
});

test("a replacement drive holds nothing of its predecessor", () => {
  const bench = new MediumBench("pod");
  bench.start();
  bench.append(1);
  bench.medium.flush();
  bench.run();
  bench.medium.persistRefusal({
    uploadId: uploadIdFor(2),
    isKnowing: false,
    order: makeShard(2).upload.order,
  });
  bench.run();
  bench.medium.replace();
  expect(bench.told).toEqual(["durable 1", "lost 1"]);
  expect(bench.start()).toMatchObject({ shards: [], refusals: [] });
});

test("a full ring reports that it is full, and when there is free space again", () => {
  const bench = new MediumBench("stash");
  bench.start();
  const held: number[] = [];
  for (let number = 1; !bench.heard.includes(`full ${number - 1}`); number += 1) {
    bench.append(number);
    held.push(number);
  }
  for (const number of held.slice(0, -1)) bench.kill(number);
  bench.append(10_000);
  for (let number = 10_001; !bench.heard.includes("relieved"); number += 1) {
    expect(number).toBeLessThan(10_100);
    bench.append(number);
    if (bench.positions.has(uploadIdFor(number))) bench.kill(number);
  }
  expect(bench.violations).toEqual([]);
});

/** Mixes node actions and disk faults at random, except faults that take durable bytes away. */
function walk(place: "pod" | "stash", seed: number): MediumBench {
  const random = createRandom(seed);
  const bench = new MediumBench(place, seed);
  const { medium } = bench;
  bench.start();
  for (let step = 0; step < 400; step += 1) {
    const draw = random.next();
    const held = [...bench.positions.keys()].map((name) => Number.parseInt(name, 16));
    if (draw < 0.6) medium.append(makeShard(random.below(60), "x".repeat(random.below(3000))), "data");
    else if (draw < 0.8 && held.length > 0) bench.kill(random.pick(held));
    else if (draw < 0.9) medium.flush();
    else if (draw < 0.93)
      medium.persistRefusal({
        uploadId: uploadIdFor(random.below(60)),
        isKnowing: true,
        order: makeShard(9).upload.order,
      });
    else if (draw < 0.95) medium.failNextSync();
    else if (draw < 0.97) {
      if (random.chance(0.5)) medium.powerCut();
      else medium.crash();
      bench.start();
    }
    for (let count = random.below(12); count > 0; count -= 1) bench.queue.step(Number.POSITIVE_INFINITY);
  }
  bench.run();
  return bench;
}

test.each(["pod", "stash"] as const)(
  "%s: at any moment the image predicts exactly what a recovery finds",
  (place) => {
    const sums = { "log segment recycled": 0, "log segment compacted": 0, "sync failed": 0 };
    for (let seed = 1; seed <= 25; seed += 1) {
      const bench = walk(place, seed);
      expect(bench.violations, `seed ${seed}`).toEqual([]);
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += bench.counters.get(name);
    }
    // The guarantee proves nothing unless these events occurred.
    for (const sum of Object.values(sums)) expect(sum).toBeGreaterThan(5);
  },
);
