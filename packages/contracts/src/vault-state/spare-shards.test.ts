import { expect, test } from "vitest";
import { describeMarginSample, describeSpareShards, describeThinUpload } from "./spare-shards.ts";

const lacking = "an upload has 6 durable shards fewer within reach than a read needs";

test.each([
  [
    4,
    "uploads can spare at least 4 shards",
    "an upload has only 4 durable shards more within reach than a read needs",
  ],
  [
    1,
    "uploads can spare at least 1 shard",
    "an upload has only 1 durable shard more within reach than a read needs",
  ],
  [0, "an upload can spare no shard", "an upload has no more durable shards within reach than a read needs"],
  [-6, lacking, lacking],
])("a margin of %i shards is described without a negative count", (margin, spare, thin) => {
  expect(describeSpareShards(margin)).toBe(spare);
  expect(describeThinUpload(margin)).toBe(thin);
});

test("a sentence about the margin gives the greatest age of its sample", () => {
  expect(describeMarginSample(describeSpareShards(4))).toBe(
    "By the last sample, up to 18 s earlier, uploads can spare at least 4 shards.",
  );
});
