import type { Shard, UploadHeader } from "@stashlight/write-path";
import { beforeEach, expect, test } from "vitest";
import { Oracle, type Violation } from "./oracle.ts";

const scheme = { dataShardCount: 2, parityShardCount: 1 };

function makeUpload(number: number, kind: UploadHeader["kind"]): UploadHeader {
  const digits = number.toString(16);
  return {
    uploadId: digits.padStart(32, "0"),
    kind,
    bucket: "photos",
    key: "cat",
    order: digits.padStart(24, "0"),
    scheme,
    sizeBytes: 0,
    etag: "",
    contentType: "",
    userMetadata: {},
    epoch: 1,
  };
}

const object = makeUpload(5, "object");
const deletion = makeUpload(7, "tombstone");
const makeShard = (upload: UploadHeader, shardIndex: number): Shard => {
  return { upload, shardIndex, payload: new Uint8Array(0), payloadCrc: 0 };
};

let violations: Violation[] = [];
let oracle: Oracle;

/** Pod 0 still holds the version that the deletion, durable on all pods, supersedes. */
beforeEach(() => {
  violations = [];
  oracle = new Oracle(scheme, (violation) => violations.push(violation));
  oracle.durable("pod", makeShard(object, 0));
  for (const shardIndex of [0, 1, 2]) oracle.durable("pod", makeShard(deletion, shardIndex));
  oracle.committed(deletion.uploadId);
});

test("a pod that drops a deletion while another pod holds a lower version is reported", () => {
  oracle.killed("pod", deletion.uploadId, 1, true);
  expect(violations).toMatchObject([{ property: "S7" }]);
});

test("a pod may drop a rotten record of a deletion, but not an intact one", () => {
  oracle.lost("pod", deletion.uploadId, 1);
  oracle.killed("pod", deletion.uploadId, 1, false);
  expect(violations).toEqual([]);
  oracle.killed("pod", deletion.uploadId, 2, true);
  expect(violations).toMatchObject([{ property: "S7" }]);
});

test("an upload is overtaken only once a higher version is committed", () => {
  expect(oracle.isOvertaken(makeUpload(6, "object"))).toBe(true);
  expect(oracle.isOvertaken(makeUpload(8, "object"))).toBe(false);
  expect(oracle.isOvertaken({ ...makeUpload(6, "object"), key: "another" })).toBe(false);
});

test("a deletion that was on all pods never counts as dead, but an object does", () => {
  oracle.dead(deletion.uploadId);
  oracle.dead(object.uploadId);
  expect([oracle.isDead(deletion.uploadId), oracle.isDead(object.uploadId)]).toEqual([false, true]);
});
