import { expect, test } from "vitest";
import { judgeUnawarePods } from "./unaware-pods.ts";

const upload = {
  uploadId: "a",
  kind: "object",
  bucket: "vault",
  key: "key",
  order: "2",
  scheme: { dataShardCount: 2, parityShardCount: 1 },
  sizeBytes: 1,
  etag: "e",
  contentType: "",
  userMetadata: {},
  epoch: 1,
} as const;
const later = { ...upload, uploadId: "b", order: "3" };
const earlier = { ...upload, uploadId: "c", order: "1" };

const podWith = (podIndex: number, lifecycle: string, ...uploads: { uploadId: string }[]) => ({
  podIndex,
  state: {
    lifecycle,
    entries: new Map(uploads.map((each) => [each.uploadId, { upload: { ...upload, ...each } }])),
  },
});

test("one settled pod may lack an acknowledged upload, but not two", () => {
  const [knowing, unaware] = [podWith(0, "settled", upload), podWith(1, "settled", earlier)];
  expect(judgeUnawarePods([knowing, unaware], upload)).toBeNull();
  expect(judgeUnawarePods([knowing, unaware, podWith(2, "settled")], upload)).toMatchObject({
    property: "S2",
    sentence: expect.stringContaining("pods 1, 2 do not know of it"),
  });
});

test.each([
  ["has not settled", podWith(2, "comparing")],
  ["is down", { podIndex: 2, state: null }],
  ["knows a later version of the key", podWith(2, "settled", later)],
])("a pod that %s does not count", (_what, pod) => {
  expect(judgeUnawarePods([podWith(1, "settled"), pod], upload)).toBeNull();
});
