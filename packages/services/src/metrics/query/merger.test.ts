import { afterEach, expect, test } from "vitest";
import type { MergeJob } from "./merge.ts";
import { Merger } from "./merger.ts";

const mergers: Merger[] = [];
const open = (inlineCharactersMax: number): Merger => {
  const merger = new Merger(inlineCharactersMax);
  mergers.push(merger);
  return merger;
};
afterEach(async () => {
  await Promise.all(mergers.splice(0).map((merger) => merger.close()));
});

/** One gauge row at 946,684,800,500 ms: a moment of half a second in Postgres' count, width 1, the value. */
function packedGauge(value: number): string {
  const bytes = Buffer.alloc(20);
  bytes.writeBigInt64BE(500_000n, 0);
  bytes.writeInt32BE(1, 8);
  bytes.writeDoubleBE(value, 12);
  return bytes.toString("hex");
}
const job = (packed: string): MergeJob => ({
  kind: "gauge",
  across: "sum",
  startMs: 946_684_800_000,
  stepMs: 1000,
  pointCount: 1,
  isHeld: false,
  sources: [{ nodeId: "one", packed, series: [0] }],
  groups: [
    {
      series: [0],
      fleetSeries: [],
      cells: [{ untilMs: 946_684_801_000, lengthMs: 1000 }],
      completeMs: Number.POSITIVE_INFINITY,
    },
  ],
});

test("the thread returns the same as merging directly, for queries in any order", async () => {
  const [here, there] = [open(1_000_000), open(0)];
  const jobs = [1, 2, 3].map((value) => job(packedGauge(value)));
  const answers = await Promise.all(jobs.map((each) => there.merge(each)));
  expect(answers).toEqual(await Promise.all(jobs.map((each) => here.merge(each))));
  expect(answers[2]?.series[0]).toEqual({
    endMs: [946_684_801_000],
    newestMs: 946_684_800_500,
    columns: { kind: "gauge", min: [3], max: [3], avg: [3], last: [3] },
    partial: null,
  });
});

test("a query that cannot be answered fails alone", async () => {
  const merger = open(0);
  const broken = merger.merge(job("00"));
  const whole = merger.merge(job(packedGauge(7)));
  await expect(broken).rejects.toThrow("bounds");
  expect((await whole).series).toHaveLength(1);
});

test("waiting queries are rejected when the thread ends, and the next query starts another", async () => {
  const merger = open(0);
  const waiting = merger.merge(job(packedGauge(1).repeat(100_000)));
  const told = expect(waiting).rejects.toThrow("ended");
  await merger.close();
  await told;
  expect((await merger.merge(job(packedGauge(2)))).series).toHaveLength(1);
});
