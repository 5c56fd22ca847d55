import { expect, test } from "vitest";
import { LogMedium } from "./log-medium.ts";
import { MediumBench } from "./medium-bench.ts";
import { RecordMedium } from "./record-medium.ts";

test.each([
  ["records", RecordMedium],
  ["a log", LogMedium],
])(
  "a medium of %s that is honest again empties its cache, and only a sync that its node asked for fails",
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

test("of two syncs at a time the second does not count again what the first has made durable", () => {
  const bench = new MediumBench("pod", 1, RecordMedium);
  bench.start();
  bench.append(1);
  bench.medium.flush();
  bench.medium.flush();
  bench.run();
  expect(bench.told).toEqual(["durable 1"]);
});
