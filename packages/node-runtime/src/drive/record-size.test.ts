import { recordSizes } from "@stashlight/contracts/space";
import { RECORD_ALIGN_BYTES, RECORD_HEADER_BYTES } from "@stashlight/shard-log/image";
import { expect, test } from "vitest";

test("plans and simulations assume the record sizes of the disk format", () => {
  expect(recordSizes).toEqual({
    recordHeaderBytes: RECORD_HEADER_BYTES,
    recordAlignBytes: RECORD_ALIGN_BYTES,
  });
});
