import { expect, test } from "vitest";
import { testLostObject } from "../testing/lost-object.ts";
import { type LostObject, uniteLostObjects } from "./lost-object.ts";
import { describeShortage, lostObjectName } from "./shard-shortage.ts";

const object = (difference: Partial<LostObject> = {}): LostObject => ({
  ...testLostObject,
  damagedPods: [],
  ...difference,
});

test("a shortage names only the causes that have pods, each with its pods", () => {
  expect(describeShortage(object({ damagedPods: [3, 7], silentPods: [1] }))).toBe(
    "4 of 20 shards readable, 16 needed; damaged on p3, p7; no answer from p1",
  );
  expect(describeShortage(object({ unreadablePods: [2], missingPods: [0] }))).toBe(
    "4 of 20 shards readable, 16 needed; unreadable on p2; missing on p0",
  );
  expect(describeShortage(object())).toBe("4 of 20 shards readable, 16 needed");
});

test.each<[Partial<LostObject>, string]>([
  [{}, "photos/cat"],
  [{ part: "piece", pieceCount: 1 }, "photos/cat (a piece of it)"],
  [{ part: "piece", pieceCount: 3 }, "photos/cat (3 pieces of it)"],
  [{ part: "piece", pieceCount: 1, bucket: null, key: null }, "a piece of a large object"],
  [{ part: "record" }, "photos/cat (a record of it)"],
  [{ part: "record", bucket: null, key: null }, "an internal record"],
])("the lost object %o is named as users know it", (difference, name) => {
  expect(lostObjectName(object(difference))).toBe(name);
});

test("an object reported by several coordinators is one entry with the earliest time", () => {
  const lists = [
    { total: 2, objects: [object({ sinceMs: 5 }), object({ uploadId: "v", sinceMs: 7 })] },
    { total: 1, objects: [object({ sinceMs: 3 })] },
  ];
  const { total, objects } = uniteLostObjects(lists);
  expect(total).toBe(2);
  expect(objects.map(({ uploadId, sinceMs }) => [uploadId, sinceMs])).toEqual([
    ["v", 7],
    ["u", 3],
  ]);
});

test("pieces of one object are one entry, even if coordinators report different ones", () => {
  const piece = (uploadId: string) => object({ part: "piece", pieceCount: 1, uploadId });
  const lists = [
    { total: 1, objects: [piece("x")] },
    { total: 1, objects: [piece("y")] },
  ];
  expect(uniteLostObjects(lists)).toMatchObject({ total: 1, objects: [{ uploadId: "x" }] });
});

test("the total includes objects that a coordinator left out of its list", () => {
  expect(uniteLostObjects([{ total: 5000, objects: [object()] }]).total).toBe(5000);
  expect(uniteLostObjects([])).toEqual({ total: 0, objects: [] });
});
