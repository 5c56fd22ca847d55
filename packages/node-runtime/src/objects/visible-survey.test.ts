import type { UploadHeader } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { LARGE_SIZE } from "./index.ts";
import { VisibleSurvey } from "./visible-survey.ts";

const pauses = { pausePerStepMs: 500, pauseMsMax: 1000 };
const scheme = { dataShardCount: 16, parityShardCount: 4 };

function header(bucket: string, sizeBytes: number, userMetadata: Record<string, string> = {}): UploadHeader {
  const names = { uploadId: "", bucket, key: "k", order: "", etag: "", contentType: "" };
  return { ...names, kind: "object", scheme, sizeBytes, userMetadata, epoch: 1 };
}

test("a round adds up the objects' sizes divided by the data shards, a few objects at a time", () => {
  const survey = new VisibleSurvey({ nowMs: () => 0, ...pauses, objectsPerStep: 2 });
  const objects = [
    header("photos", 1600),
    header(".pieces", 8_000_000),
    header(".buckets", 0),
    header("photos", 120, { [LARGE_SIZE]: "16000000" }),
  ];
  const walk = () => objects.values();
  survey.step(walk, 500);
  survey.step(walk, 500);
  expect(survey.bytes).toBeNull();
  survey.step(walk, 500);
  expect(survey.bytes).toBe(100 + 1_000_000);
  expect(survey.objects).toEqual({ count: 2, bytes: 16_001_600 });
});

test("the next round begins after the pause, and the last figure is kept until the round is complete", () => {
  let nowMs = 0;
  const survey = new VisibleSurvey({ nowMs: () => nowMs, ...pauses, objectsPerStep: 1 });
  let objects = [header("a", 16)];
  const walk = () => objects.values();
  survey.step(walk, 500);
  survey.step(walk, 500);
  expect(survey.bytes).toBe(1);
  objects = [header("a", 160)];
  survey.step(walk, 500);
  survey.step(walk, 500);
  expect(survey.bytes).toBe(1);
  nowMs = 1000;
  survey.step(walk, 500);
  expect(survey.bytes).toBe(1);
  survey.step(walk, 500);
  expect(survey.bytes).toBe(10);
});

test("the pause grows with the steps of a round, up to its maximum", () => {
  let nowMs = 0;
  const survey = new VisibleSurvey({ nowMs: () => nowMs, ...pauses, objectsPerStep: 2 });
  const pauseAfter = (count: number): number => {
    const objects = Array.from({ length: count }, () => header("a", 16));
    for (let step = 0; step <= count / 2; step++) survey.step(() => objects.values(), 0);
    expect(survey.objects?.count).toBe(count);
    const endMs = nowMs;
    for (; survey.objects?.count === count; nowMs += 100) survey.step(() => [].values(), 0);
    const pauseMs = nowMs - 100 - endMs;
    // The round that found no objects has one step.
    nowMs += 500;
    return pauseMs;
  };
  expect([1, 2, 3, 9].map(pauseAfter)).toEqual([500, 1000, 1000, 1000]);
});

test("visible bytes are compared with the bytes in use of the same round", () => {
  let nowMs = 0;
  const survey = new VisibleSurvey({ nowMs: () => nowMs, ...pauses, objectsPerStep: 1 });
  const objects = [header("a", 1600)];
  survey.step(() => objects.values(), 140);
  expect(survey.inUseBytes).toBeNull();
  survey.step(() => objects.values(), 160);
  expect([survey.bytes, survey.inUseBytes]).toEqual([100, 150]);
  // After a delete and a compaction nothing is in use, but nothing has been counted again.
  nowMs = 500;
  survey.step(() => objects.values(), 0);
  expect([survey.bytes, survey.inUseBytes]).toEqual([100, 150]);
});
