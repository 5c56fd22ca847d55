import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DiskCell, DiskCellResult } from "@stashlight/contracts/disk";
import { expect, onTestFinished, test } from "vitest";
import { checkCell } from "../methods.ts";
import { Bucket, type BucketModel } from "./bucket.ts";
import { runCell } from "./run-cell.ts";

const FILE_BYTES = 1_048_576;

/** Runs the cell on a small file, on a clock that advances only by waits. */
async function run(of: Partial<DiskCell>, model: BucketModel): Promise<DiskCellResult & { asked: number }> {
  const folder = mkdtempSync(join(tmpdir(), "stashlight-cell-"));
  const file = join(folder, "file");
  writeFileSync(file, Buffer.alloc(FILE_BYTES, 7));
  const descriptor = openSync(file, "r+");
  onTestFinished(() => {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  });
  let nowMs = 0;
  let asked = 0;
  const result = await runCell(
    { ...checkCell(5, 1), ...of },
    {
      clock: {
        nowMs: () => nowMs,
        wait: async (ms) => {
          nowMs += ms;
        },
      },
      descriptor,
      offsetBytes: 0,
      fileBytes: FILE_BYTES,
      seed: 1,
      buffers: [new Uint8Array(4_096)],
      bucket: new Bucket(model, 0),
      writableBytes: Number.MAX_SAFE_INTEGER,
      isOver: () => false,
      onStarting: () => {},
      onAsked: async () => {
        asked += 1;
      },
      onSecond: () => {},
    },
  );
  return { ...result, asked };
}

test("the seconds of a run show the burst of a bucket in front of the drive, and then its base rate", async () => {
  const { perSecond, asked } = await run({}, { burst: 400, base: 50, tokens: 700 });
  expect(perSecond.iops).toEqual([
    expect.closeTo(400, -1),
    expect.closeTo(400, -1),
    expect.any(Number),
    expect.closeTo(50, -1),
    expect.closeTo(50, -1),
  ]);
  expect(asked).toBe(1);
});

test.each([1, 0])(
  "a cell with a read share of %i ends when its rate is steady, with its rounds judged",
  async (readShare) => {
    const { steadyState, seconds } = await run(
      { readShare, secondsMax: 30, roundSeconds: 1, access: "sequential" },
      { burst: 201, base: 200, tokens: 1 },
    );
    expect(steadyState?.isSteady).toBe(true);
    expect(seconds).toBeLessThan(10);
  },
);

test("a check of exactly 30 s has the rates of 30 seconds", async () => {
  const { perSecond } = await run({ secondsMax: 30 }, { burst: 101, base: 100, tokens: 1 });
  expect(perSecond.iops).toHaveLength(30);
});
