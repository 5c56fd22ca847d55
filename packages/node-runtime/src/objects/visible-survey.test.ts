import type { UploadHeader } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { LARGE_SIZE } from "./index.ts";
import { VisibleSurvey } from "./visible-survey.ts";

const scheme = { dataShardCount: 16, parityShardCount: 4 };

function header(bucket: string, sizeBytes: number, userMetadata: Record<string, string> = {}): UploadHeader {
  const names = { uploadId: "", bucket, key: "k", order: "", etag: "", contentType: "" };
  return { ...names, kind: "object", scheme, sizeBytes, userMetadata, epoch: 1 };
}

test("a round adds up the objects' sizes divided by the data shards, a few objects at a time", () => {
  const survey = new VisibleSurvey({ nowMs: () => 0, pauseMs: 1000, objectsPerStep: 2 });
  const objects = [
    header("photos", 1600),
    header(".pieces", 8_000_000),
    header(".buckets", 0),
    header("photos", 120, { [LARGE_SIZE]: "16000000" }),
  ];
  const walk = () => objects.values();
  survey.step(walk);
  survey.step(walk);
  expect(survey.bytes).toBeNull();
  survey.step(walk);
  expect(survey.bytes).toBe(100 + 1_000_000);
});

test("the next round begins after the pause, and the figure stays until it is complete", () => {
  let nowMs = 0;
  const survey = new VisibleSurvey({ nowMs: () => nowMs, pauseMs: 1000, objectsPerStep: 1 });
  let objects = [header("a", 16)];
  const walk = () => objects.values();
  survey.step(walk);
  survey.step(walk);
  expect(survey.bytes).toBe(1);
  objects = [header("a", 160)];
  survey.step(walk);
  survey.step(walk);
  expect(survey.bytes).toBe(1);
  nowMs = 1000;
  survey.step(walk);
  expect(survey.bytes).toBe(1);
  survey.step(walk);
  expect(survey.bytes).toBe(10);
});
