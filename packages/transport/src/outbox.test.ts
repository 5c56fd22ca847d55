import { expect, test } from "vitest";
import type { Frame } from "./codec/frame.ts";
import { decodeMessage } from "./codec/messages.ts";
import { createCounters } from "./counters.ts";
import { FrameReader } from "./frame-reader.ts";
import { defaultLimits, type TransportLimits } from "./options.ts";
import { type Batch, Outbox } from "./outbox.ts";
import { makeAppend, makeFind } from "./testing/messages.ts";

function outboxOf(limits: Partial<TransportLimits> = {}) {
  const counters = createCounters();
  return { counters, outbox: new Outbox({ ...defaultLimits, ...limits }, counters) };
}

test("messages without payloads are sent as one buffer, and payloads are not copied", () => {
  const { outbox } = outboxOf();
  for (let number = 0; number < 10; number += 1) outbox.push(makeFind(number), undefined);
  expect(outbox.take(1_000_000)?.buffers.length).toBe(1);
  const payload = new Uint8Array(5_000);
  for (const number of [0, 1]) outbox.push(makeFind(number), undefined);
  outbox.push(makeAppend(1, payload), undefined);
  outbox.push(makeFind(2), undefined);
  const buffers = outbox.take(1_000_000)?.buffers ?? [];
  expect(buffers.length).toBe(3);
  expect(buffers[1]).toBe(payload);
});

test("a batch is not much larger than requested, and all batches together contain every message", () => {
  const { outbox } = outboxOf();
  for (let number = 0; number < 100; number += 1)
    outbox.push(makeAppend(number, new Uint8Array(1_000)), undefined);
  const batches: Batch[] = [];
  for (let batch = outbox.take(4_000); batch; batch = outbox.take(4_000)) batches.push(batch);
  expect(Math.max(...batches.map(({ bytes }) => bytes))).toBeLessThan(6_000);
  expect(batches.flatMap(({ frames }) => frames).length).toBe(100);
});

test("beyond either bound, and above the size of a frame, messages are dropped, counted and released", () => {
  const rows = [
    { limits: { queueCountMax: 3 }, reason: "queueFull", sent: 3 },
    { limits: { queueBytesMax: 2_500 }, reason: "queueFull", sent: 2 },
    { limits: { frameBytesMax: 1_000 }, reason: "tooLarge", sent: 0 },
  ] as const;
  for (const { limits, reason, sent } of rows) {
    const { outbox, counters } = outboxOf(limits);
    let releasedCount = 0;
    const released = () => {
      releasedCount += 1;
    };
    const queued = [1, 2, 3, 4].filter((number) =>
      outbox.push(makeAppend(number, new Uint8Array(1_000)), released),
    );
    expect([queued.length, counters.dropsTotal[reason], releasedCount]).toEqual([sent, 4 - sent, 4 - sent]);
  }
});

test("bytes that the socket has not taken yet count as queued", () => {
  const { outbox } = outboxOf({ queueCountMax: 2 });
  outbox.push(makeFind(1), undefined);
  outbox.push(makeFind(2), undefined);
  const batch = outbox.take(1_000_000) as Batch;
  expect(outbox.push(makeFind(3), undefined)).toBe(false);
  outbox.sent(batch);
  expect([outbox.heldCount, outbox.heldBytes]).toEqual([0, 0]);
  expect(outbox.push(makeFind(3), undefined)).toBe(true);
});

test("a payload is released once, whether its message was sent, lost or dropped", () => {
  const { outbox, counters } = outboxOf();
  const released: string[] = [];
  for (const name of ["sent", "lost", "dropped"]) {
    outbox.push(makeAppend(1, new Uint8Array(10)), () => released.push(name));
  }
  outbox.sent(outbox.take(1) as Batch);
  outbox.lost(outbox.take(1) as Batch);
  outbox.dropAll();
  outbox.dropAll();
  expect(released).toEqual(["sent", "lost", "dropped"]);
  expect([counters.framesSentTotal, counters.dropsTotal.lost]).toEqual([1, 2]);
});

test("messages older than the limit are dropped, and younger ones are kept", () => {
  const { outbox, counters } = outboxOf();
  outbox.push(makeFind(1), undefined);
  outbox.dropOlderThan(60_000);
  expect(outbox.heldCount).toBe(1);
  outbox.dropOlderThan(-1);
  expect([outbox.heldCount, counters.dropsTotal.tooOld]).toEqual([0, 1]);
});

test.each([
  { version: 7, delimiter: "" },
  { version: 8, delimiter: "/" },
])("a list for a node of version $version of the protocol has the delimiter '$delimiter'", (row) => {
  const { outbox } = outboxOf();
  expect(outbox.version).toBe(7);
  outbox.version = row.version;
  const range = { bucket: "photos", prefix: "", after: "", keyCountMax: 1000, delimiter: "/" };
  const message = { type: "pod.list", requestId: 1, ...range, isBrief: false } as const;
  outbox.push({ from: "c0", to: "p1", message }, undefined);
  const [bytes] = outbox.take(1_000_000)?.buffers ?? [];
  const reader = new FrameReader(defaultLimits.frameBytesMax);
  reader.push(Buffer.from(bytes ?? []));
  expect(decodeMessage(reader.next() as Frame).message).toEqual({ ...message, delimiter: row.delimiter });
});
