import fc from "fast-check";
import { expect, test } from "vitest";
import { fillOfCoordinators, parseCoordinatorSpace } from "../health/coordinator-space.ts";
import { vaultMarks } from "../thresholds.ts";
import {
  describeFullness,
  describeRawSpace,
  describeSpace,
  formatFill,
  formatFillShort,
  measureFill,
  ONE_MOMENT_MS,
  vaultMark,
} from "./fill.ts";

const atMs = 1_000_000;
const at = (bytes: number, laterMs = 0) => ({ bytes, atMs: atMs + laterMs });
const fillOf = (objects: number, room: number) => measureFill({ objects: at(objects), room: at(room) });

test.each([
  [0, "roomy"],
  [0.7999, "roomy"],
  [0.8, "warning"],
  [0.9499, "warning"],
  [0.95, "full"],
  [1, "full"],
] as const)("at a fill of %d the vault is %s", (share, mark) => {
  expect(vaultMark(share)).toBe(mark);
});

test("fill and its sentences count 845 MB of objects of 909 MB, apart from the raw bytes on drives", () => {
  const fill = measureFill({
    objects: at(845e6),
    room: at(909_138_944),
    rawUsed: at(1.21e9),
    rawCapacity: at(2.01e9),
  });
  expect(fill?.share).toBeCloseTo(0.9295, 4);
  expect(describeSpace(fill ?? { objectBytes: 0, roomBytes: 0 })).toBe("845 MB used of 909 MB for objects");
  expect(describeRawSpace({ raw: fill?.raw ?? null })).toBe(
    "1.21 GB of 2.01 GB on drives, parity and garbage included",
  );
});

test("figures of different moments yield no fill, and raw bytes of another moment are left out", () => {
  const late = ONE_MOMENT_MS + 1;
  expect(measureFill({ objects: at(5), room: at(10, late) })).toBeNull();
  expect(measureFill({ objects: null, room: at(10) })).toBeNull();
  expect(measureFill({ objects: at(0), room: at(0) })).toBeNull();
  const raw = { rawUsed: at(5, late), rawCapacity: at(10, late) };
  expect(measureFill({ objects: at(5), room: at(10), ...raw })).toMatchObject({ share: 0.5, raw: null });
});

test("raw bytes are left out while use and capacity come from different reports, which may cover other pods", () => {
  const measure = (laterMs: number) =>
    measureFill({ objects: at(5), room: at(10), rawUsed: at(40), rawCapacity: at(100, laterMs) })?.raw;
  expect(measure(10_000)).toEqual({ usedBytes: 40, capacityBytes: 100 });
  expect(measure(35_000)).toBeNull();
});

test("a fill is printed as 100 % exactly when no space is left", () => {
  const bytes = fc.double({ min: 0, max: 1e18, noNaN: true });
  fc.assert(
    fc.property(bytes, fc.double({ min: 1, max: 1e18, noNaN: true }), (objects, room) => {
      const fill = fillOf(objects, room);
      const share = fill?.share ?? Number.NaN;
      const isFull = objects >= room;
      expect(share === 1).toBe(isFull);
      expect(formatFill(share) === "100 %").toBe(isFull);
      expect(formatFillShort(share) === "100 %").toBe(isFull);
      expect(describeFullness("local", share)?.endsWith("new objects are refused") ?? false).toBe(isFull);
      expect(describeFullness("local", share) === null).toBe(vaultMark(share) === "roomy");
    }),
  );
});

test("the fullest of several coordinators counts, and one without the pods' reports is ignored", () => {
  const spaces = [
    { takenBytes: 40, capacityBytes: 100 },
    { takenBytes: 55, capacityBytes: 100 },
    { takenBytes: null, capacityBytes: 100 },
  ];
  expect(fillOfCoordinators(spaces, atMs)?.share).toBe(0.55);
  expect(fillOfCoordinators(spaces.slice(2), atMs)).toBeNull();
  expect(parseCoordinatorSpace({ space: spaces[0], nodeId: "c" })).toEqual(spaces[0]);
  expect(parseCoordinatorSpace({ hello: "world" })).toBeNull();
});

test.each([
  [0.79, null],
  [0.871, "Vault local is 87.1 % full"],
  [0.96, "Vault local is 96 % full: objects larger than the free space are refused"],
  [1, "Vault local is 100 % full: new objects are refused"],
])("at a fill of %d the sentence is %s", (share, sentence) => {
  expect(describeFullness("local", share)).toBe(sentence);
});

test("the demo load stops below the warning, and the warning comes before the vault counts as full", () => {
  const { demoStopShare, warningShare, fullShare } = vaultMarks;
  expect(demoStopShare).toBeLessThan(warningShare);
  expect(warningShare).toBeLessThan(fullShare);
  expect(fullShare).toBeLessThan(1);
});
