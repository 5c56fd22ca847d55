import { expect, test } from "vitest";
import { ByteGate } from "./byte-gate.ts";

function gated(bytesMax: number, sizes: readonly number[]) {
  const gate = new ByteGate(bytesMax);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const runs = sizes.map((bytes, at) =>
    gate.run(bytes, () => {
      started.push(at);
      return new Promise<number>((resolve) => {
        ends[at] = () => resolve(at);
      });
    }),
  );
  return { gate, started, ends, runs };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("bodies enter in the order in which they came, as many as fit", async () => {
  const { gate, started, ends, runs } = gated(10, [6, 4, 1, 9]);
  await settled();
  expect(started).toEqual([0, 1]);
  expect(gate.waitingCount).toBe(2);
  ends[0]?.();
  expect(await runs[0]).toBe(0);
  await settled();
  expect(started).toEqual([0, 1, 2]);
  ends[1]?.();
  ends[2]?.();
  await settled();
  expect(started).toEqual([0, 1, 2, 3]);
});

test("a body larger than the gate goes alone", async () => {
  const { started, ends } = gated(10, [3, 50, 3]);
  await settled();
  expect(started).toEqual([0]);
  ends[0]?.();
  await settled();
  expect(started).toEqual([0, 1]);
  ends[1]?.();
  await settled();
  expect(started).toEqual([0, 1, 2]);
});

test("work that fails leaves", async () => {
  const gate = new ByteGate(10);
  await expect(gate.run(10, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await gate.run(10, async () => "yes")).toBe("yes");
});
