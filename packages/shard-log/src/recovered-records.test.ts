import { PAGE_BYTES } from "@stashlight/paged-memory";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dataView, encodeRecord, META_BYTES_MAX, makeIdentity, RECORD_HEADER_BYTES } from "./format.ts";
import { HeaderView } from "./record-header.ts";
import { copyOfRecord, FoundRecords, RecordChoice, RecoveredRecords } from "./recovered-records.ts";
import { crc32c, encodeText, fewPages, makeRecord } from "./testing/index.ts";

const identity = makeIdentity(encodeText("cluster-00000001"), encodeText("device--00000001"), crc32c);

function headerOf(number: number, metaBytes: number): HeaderView {
  const meta = new Uint8Array(metaBytes).fill(number);
  const record = { ...makeRecord(number), meta, payload: new Uint8Array(0) };
  const bytes = new Uint8Array(RECORD_HEADER_BYTES + metaBytes + 64);
  const place = { lsn: number, generation: 1, offset: 4096, volumeEpoch: 1 };
  encodeRecord(identity, bytes, dataView(bytes), 0, record, place);
  return new HeaderView(bytes, dataView(bytes), 0);
}

const anyMetaBytes = fc.oneof(
  fc.nat({ max: 300 }),
  fc.integer({ min: -2, max: 2 }).map((over) => PAGE_BYTES - RECORD_HEADER_BYTES + over),
  fc.constantFrom(3 * PAGE_BYTES, META_BYTES_MAX),
);

test("chosen records are read back as they were found, across the ends of pages, again and again", () => {
  const anyRecords = fc.array(fc.tuple(anyMetaBytes, fc.boolean()), { maxLength: 60 });
  fc.assert(
    fc.property(anyRecords, (wanted) => {
      const memory = fewPages();
      const found = new FoundRecords(memory);
      const headers = wanted.map(([metaBytes], number) => headerOf(number, metaBytes));
      expect(headers.map((header) => found.put(header))).toEqual(headers.map((_, number) => number));
      const choice = new RecordChoice(found.count);
      for (const [number, [, isChosen]] of wanted.entries()) if (isChosen) choice.add(number);
      const chosen = headers.filter((_, number) => wanted[number]?.[1]);
      const records = new RecoveredRecords(choice, found, copyOfRecord);
      expect(records.length).toBe(chosen.length);
      for (let pass = 0; pass < 2; pass += 1) {
        const read = [...records].map((record) => (record as HeaderView).bytes);
        expect(read.map((bytes) => Buffer.from(bytes))).toEqual(
          chosen.map(({ bytes }) => Buffer.from(bytes)),
        );
      }
      records.release();
      expect(memory.pageCount).toBe(0);
    }),
    { numRuns: 40 },
  );
});

test("released records cannot be read", () => {
  const found = new FoundRecords(fewPages());
  const choice = new RecordChoice(1);
  choice.add(found.put(headerOf(0, 20)));
  const records = new RecoveredRecords(choice, found, copyOfRecord);
  records.release();
  expect(() => [...records]).toThrow("before they are released");
});
