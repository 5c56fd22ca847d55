import { expect, test } from "vitest";
import { drawOptions, type RunOptions } from "../options.ts";
import { minimise } from "./minimise.ts";
import { shrink } from "./shrink.ts";

test.each([
  [[3], 1],
  [[0, 99], 2],
  [[10, 11, 12, 50], 4],
  [[], 0],
])("minimising a hundred items keeps exactly the needed ones: %j", (needed, length) => {
  const items = Array.from({ length: 100 }, (_, i) => i);
  const left = minimise(items, (some) => needed.every((item) => some.includes(item)));
  expect(left).toEqual(needed);
  expect(left).toHaveLength(length);
});

test("an interrupted search keeps its result so far", () => {
  const answers = [false, true];
  const left = minimise([1, 2, 3, 4], () => answers.shift() ?? false);
  expect(left).toEqual([3, 4]);
});

function seedWith(predicate: (options: RunOptions) => boolean): RunOptions {
  for (let seed = 1; ; seed += 1) {
    const options = drawOptions(seed);
    if (predicate(options)) return options;
  }
}

const isPowerCut = ({ name }: { name: string }) => name === "power cut";
const isDelete = ({ type }: { type: string }) => type === "delete";

test("shrinking removes irrelevant operations and faults, and shortens the lasting ones", () => {
  const options = seedWith((drawn) => drawn.faults.some(isPowerCut) && drawn.operations.some(isDelete));
  const fails = ({ faults, operations }: RunOptions) =>
    faults.some((fault) => isPowerCut(fault) && fault.durationMs > 2) && operations.some(isDelete);
  const lasting = { ...options, faults: options.faults.map((fault) => ({ ...fault, durationMs: 1000 })) };
  const { options: smallest, runCount } = shrink(lasting, fails, () => true);
  expect(smallest.faults.map(({ name, durationMs }) => [name, durationMs])).toEqual([["power cut", 3]]);
  expect(smallest.operations.map(({ type }) => type)).toEqual(["delete"]);
  expect(smallest.network.lossProbability).toBe(0);
  expect(runCount).toBeLessThan(200);
});

test("a run without time to shrink is left unchanged", () => {
  const options = drawOptions(7);
  expect(
    shrink(
      options,
      () => true,
      () => false,
    ),
  ).toEqual({ options, runCount: 0 });
});
