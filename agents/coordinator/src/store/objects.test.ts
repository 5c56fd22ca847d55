import { expect, test } from "vitest";
import {
  BUCKET,
  Coordinators,
  context,
  openRead,
  PIECE_BYTES,
  put,
  readOn,
  streamOf,
} from "../space/testing/coordinators.ts";

/** The size limit of a form's file is the form's length; the file ends at its delimiter. */
test.each([
  ["nothing", 0, PIECE_BYTES],
  ["less than a piece, bounded by a piece", 5, PIECE_BYTES],
  ["less than a piece, bounded by more", 5, 3 * PIECE_BYTES],
  ["a piece, bounded by more", PIECE_BYTES, PIECE_BYTES + 1],
  ["several pieces, bounded by more", 2 * PIECE_BYTES + 1, 5 * PIECE_BYTES],
])("a stream of %s is stored with its actual size", async (_, sizeBytes, sizeBytesMax) => {
  const { first } = await Coordinators.start();
  const body = "0123456789abcdefghijklmno".slice(0, sizeBytes);
  await put(first, "k", { ...streamOf(body), sizeBytesMax } as never);
  const { sizeBytes: stored } = await first.store.headObject(context, {
    bucket: BUCKET,
    key: "k",
    customerKey: null,
  });
  expect([stored, await readOn(await openRead(first, "k"))]).toEqual([sizeBytes, body]);
});
