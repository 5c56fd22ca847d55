import { expect, test } from "vitest";
import { uploadOf } from "../../testing/index.ts";
import type { EntryView } from "../entry.ts";
import { PackedEntries } from "./packed-entries.ts";

const upload = uploadOf(1, { bucket: "photos", key: "a", etag: "1-2", userMetadata: { colour: "red" } });

/** A pod that holds only this upload, with an entry like no other pod's. */
function podWith(header: EntryView<number>["upload"], arrival: number): PackedEntries {
  const pod = new PackedEntries();
  pod.put({
    upload: header,
    signedCrc: arrival,
    state: "durable",
    position: 64 * arrival,
    bornMs: -arrival,
    wasKnown: arrival % 2 === 0,
    outcome: "complete",
    arrival,
    bucket: arrival,
    waiting: null,
  });
  return pod;
}

test("pods of a process return one header object for one upload", () => {
  const [first, second] = [podWith(upload, 1), podWith(upload, 2)].map((pod) => pod.get(upload.uploadId));
  expect(first?.upload).toEqual(upload);
  expect(second?.upload).toBe(first?.upload);
  expect(second?.position).toBe(128);
});

test.each([
  ["bucket", { bucket: "photos-2" }],
  ["key", { key: "b" }],
  ["order", { order: "f".repeat(24) }],
  ["ETag", { etag: "1-3" }],
  ["size", { sizeBytes: upload.sizeBytes + 1 }],
  ["epoch", { epoch: upload.epoch + 1 }],
  ["metadata", { userMetadata: { colour: "tan" } }],
])("a header that differs only in its %s is not taken for the known one", (_, changed) => {
  const other = { ...upload, ...changed };
  podWith(upload, 1).get(upload.uploadId);
  expect(podWith(other, 2).get(upload.uploadId)?.upload).toEqual(other);
});

test("a header with much metadata is returned whole, and its neighbour in the table stays known", () => {
  const large = { ...upload, userMetadata: { note: "x".repeat(1000) } };
  const known = podWith(upload, 1).get(upload.uploadId)?.upload;
  expect(podWith(large, 2).get(upload.uploadId)?.upload).toEqual(large);
  expect(podWith(upload, 3).get(upload.uploadId)?.upload).toBe(known);
});
