import { expect, test } from "vitest";
import { VaultError } from "../vault/errors.ts";
import { LEASES } from "./large-object-holds.ts";
import {
  BUCKET,
  beginMultipart,
  Coordinators,
  context,
  openRead,
  PIECE_BYTES,
  put,
  putPart,
  readOn,
  remove,
  streamOf,
} from "./testing/coordinators.ts";

const BODY = "0123456789abcdefghijklmnopqrstuvwxyz";
const OTHER = "ABCDEFGHIJKLMNOPQRSTU";
const SOON_MS = 60_000;
const LONG_MS = 3_600_000;

const text = ({ value }: IteratorResult<Uint8Array>) => Buffer.from(value).toString();

test.each(["deleted", "overwritten"])(
  "a slow read of an object that is %s by its coordinator gets all bytes",
  async (how) => {
    const { coordinators, first } = await Coordinators.start();
    await put(first, "k", BODY);
    const reading = await openRead(first, "k");
    const begun = text(await reading.next());
    if (how === "deleted") await remove(first, "k");
    else await put(first, "k", OTHER);
    await coordinators.pass(LONG_MS);
    expect(begun + (await readOn(reading))).toBe(BODY);
    await coordinators.pass(SOON_MS);
    expect(coordinators.pieceKeys).toHaveLength(how === "deleted" ? 0 : 3);
  },
);

test("a slow read at one coordinator gets all bytes of an object that another deletes", async () => {
  const { coordinators, first } = await Coordinators.start();
  const second = coordinators.add();
  await put(first, "k", BODY);
  const reading = await openRead(second, "k");
  const begun = text(await reading.next());
  await remove(first, "k");
  await coordinators.pass(LONG_MS);
  expect(coordinators.vault.keysIn(LEASES)).toEqual([second.holds.leaseKey]);
  expect(second.holds.leasedCount).toBe(1);
  expect(begun + (await readOn(reading))).toBe(BODY);
  await coordinators.pass(2 * coordinators.timing.turnEveryMs);
  expect(coordinators.vault.keysIn(LEASES)).toEqual([]);
  await coordinators.pass(SOON_MS);
  expect(coordinators.pieceKeys).toEqual([]);
  expect(second.holds.leasedCount).toBe(0);
});

test("a read aborted by its client releases its hold", async () => {
  const { coordinators, first } = await Coordinators.start();
  await put(first, "k", BODY);
  const reading = await openRead(first, "k");
  await reading.next();
  await remove(first, "k");
  await reading.return?.();
  await coordinators.pass(SOON_MS);
  expect(coordinators.pieceKeys).toEqual([]);
});

test("readers of the current version do not keep the pieces of the previous one", async () => {
  const { coordinators, first } = await Coordinators.start();
  const second = coordinators.add();
  await put(first, "k", BODY);
  await put(first, "k", OTHER);
  const readings = [await openRead(first, "k"), await openRead(second, "k")];
  for (const reading of readings) await reading.next();
  await coordinators.pass(SOON_MS);
  expect(coordinators.pieceKeys).toHaveLength(3);
  for (const reading of readings) expect(await readOn(reading)).toBe(OTHER.slice(PIECE_BYTES));
});

test("the lease of a coordinator killed during a read is ignored once stale, and is deleted", async () => {
  const { coordinators, first } = await Coordinators.start();
  const second = coordinators.add();
  await put(first, "k", BODY);
  const reading = await openRead(second, "k");
  await reading.next();
  await coordinators.pass(SOON_MS);
  coordinators.kill(second);
  await remove(first, "k");
  await coordinators.pass(coordinators.timing.leaseStaleMs);
  expect(coordinators.pieceKeys).not.toEqual([]);
  await coordinators.pass(2 * coordinators.timing.leaseStaleMs);
  expect(coordinators.pieceKeys).toEqual([]);
  expect(coordinators.vault.keysIn(LEASES)).toEqual([]);
});

test("a stale lease is deleted even if no collection waits for it", async () => {
  const { coordinators, first } = await Coordinators.start();
  const second = coordinators.add();
  await put(first, "k", BODY);
  await (await openRead(second, "k")).next();
  await coordinators.pass(SOON_MS);
  coordinators.kill(second);
  await coordinators.pass(4 * coordinators.timing.sweepEveryMs);
  expect(coordinators.vault.keysIn(LEASES)).toEqual([]);
});

test("one small record names all holds of a coordinator, and is stored no more often than necessary", async () => {
  const { coordinators, first } = await Coordinators.start();
  await put(first, "k", BODY);
  const readings = await Promise.all(Array.from({ length: 50 }, () => openRead(first, "k")));
  for (const reading of readings) await reading.next();
  coordinators.vault.takeAsked();
  await coordinators.pass(SOON_MS);
  expect(coordinators.vault.takeAsked()[`put ${LEASES}`]).toBeLessThanOrEqual(6);
  expect(first.holds.leasedCount).toBe(50);
});

test("a read continues if its lease cannot be stored, and failed attempts are counted", async () => {
  const { coordinators, first } = await Coordinators.start();
  await put(first, "k", BODY);
  const reading = await openRead(first, "k");
  const begun = text(await reading.next());
  coordinators.vault.before = (verb, bucket) => {
    if (verb === "put" && bucket === LEASES) throw new VaultError("unavailable");
  };
  await coordinators.pass(SOON_MS);
  expect(first.holds.failedLeaseCount).toBeGreaterThan(5);
  expect(first.holds.failedLeaseCount).toBeLessThan(30);
  expect(begun + (await readOn(reading))).toBe(BODY);
});

test("reads beyond the limit of holds continue without one, and writes are refused", async () => {
  const { coordinators, first } = await Coordinators.start();
  await put(first, "k", BODY);
  for (let at = 0; at < 4096; at += 1)
    first.holds.hold({ bucket: BUCKET, key: "x" }, { kind: "read", id: `${at}` });
  expect(await readOn(await openRead(first, "k"))).toBe(BODY);
  expect(first.holds.refusedCount).toBe(1);
  await expect(put(first, "other", BODY)).rejects.toMatchObject({ code: "SlowDown" });
  expect(coordinators.pieceKeys).toHaveLength(4);
});

/** A body whose chunks arrive when `go` is called. */
function slowBody(chunks: readonly string[]) {
  const gates = chunks.map(() => Promise.withResolvers<void>());
  const body = {
    ...streamOf(chunks.join("")),
    chunks: (async function* () {
      for (const [at, chunk] of chunks.entries()) {
        await gates[at]?.promise;
        yield Buffer.from(chunk);
      }
    })(),
  };
  return { body: body as never, go: (at: number) => gates[at]?.resolve() };
}

test("pieces of an upload that takes hours are spared by other coordinators' sweeps", async () => {
  const { coordinators, first } = await Coordinators.start();
  const second = coordinators.add();
  const { body, go } = slowBody([BODY.slice(0, 20), BODY.slice(20)]);
  const stored = put(second, "k", body);
  go(0);
  await expect.poll(() => coordinators.pieceKeys.length).toBe(2);
  await coordinators.pass(LONG_MS);
  expect(first.sweep.passCount).toBeGreaterThan(10);
  go(1);
  await stored;
  expect(await readOn(await openRead(first, "k"))).toBe(BODY);
});

test("an upload of several hours is stored even if its coordinator then stalls for a while", async () => {
  const { coordinators, first } = await Coordinators.start();
  const second = coordinators.add();
  const { body, go } = slowBody([BODY.slice(0, 20), BODY.slice(20)]);
  const stored = put(second, "k", body);
  go(0);
  await expect.poll(() => coordinators.pieceKeys.length).toBe(2);
  await coordinators.pass(LONG_MS);
  coordinators.kill(second);
  await coordinators.pass(coordinators.timing.writerPauseMsMax - coordinators.timing.leaseRefreshMs);
  go(1);
  await stored;
  expect(await readOn(await openRead(first, "k"))).toBe(BODY);
});

test("pieces that keep arriving are spared even if no lease can be stored", async () => {
  const { coordinators, first } = await Coordinators.start();
  const second = coordinators.add();
  coordinators.vault.before = (verb, bucket) => {
    if (verb === "put" && bucket === LEASES) throw new VaultError("unavailable");
  };
  const chunks = Array.from({ length: 10 }, (_, at) => `${at}`.repeat(PIECE_BYTES));
  const { body, go } = slowBody(chunks);
  const stored = put(second, "k", body);
  for (const at of chunks.keys()) {
    go(at);
    await expect.poll(() => coordinators.pieceKeys.length).toBe(at + 1);
    await coordinators.pass(coordinators.timing.writerPauseMsMax - SOON_MS);
  }
  await stored;
  expect(await readOn(await openRead(first, "k"))).toBe(chunks.join(""));
});

test("an upload whose coordinator stalled for too long is refused, because its pieces may be gone", async () => {
  const { coordinators, first } = await Coordinators.start();
  const second = coordinators.add();
  const { body, go } = slowBody([BODY.slice(0, 20), BODY.slice(20)]);
  const stored = put(second, "k", {
    ...(body as object),
    verify: async () => {
      // The coordinator stalls between the last piece and the list.
      coordinators.nowMs += coordinators.timing.writerPauseMsMax + 1;
      return { etag: "e", checksum: null };
    },
  } as never);
  go(0);
  go(1);
  await expect(stored).rejects.toMatchObject({ code: "SlowDown" });
  await coordinators.pass(SOON_MS);
  expect(coordinators.pieceKeys).toEqual([]);
  const missing = first.store.getObject(context, { bucket: BUCKET, key: "k", customerKey: null });
  await expect(missing).rejects.toMatchObject({ code: "NoSuchKey" });
});

test("an upload is refused if its piece list waited too long for admission, because its pieces may be gone", async () => {
  const { coordinators, first } = await Coordinators.start();
  coordinators.vault.before = (verb, bucket) => {
    if (verb === "put" && bucket === BUCKET) coordinators.nowMs += coordinators.timing.writerPauseMsMax + 1;
  };
  await expect(put(first, "k", BODY)).rejects.toMatchObject({ code: "SlowDown" });
  await coordinators.pass(SOON_MS);
  expect(coordinators.pieceKeys).toEqual([]);
});

test("parts stay for as long as the completion of their upload takes", async () => {
  const { coordinators, first } = await Coordinators.start();
  const second = coordinators.add();
  const uploadId = await beginMultipart(first, "k");
  await putPart(first, "k", uploadId, 1, BODY);
  const done = Promise.withResolvers<void>();
  const completing = second.space.completing({ bucket: BUCKET, key: "k", uploadId }, () => done.promise);
  await first.store.abortMultipartUpload(context, { bucket: BUCKET, key: "k", uploadId });
  await coordinators.pass(LONG_MS);
  expect(coordinators.pieceKeys).toHaveLength(4);
  done.resolve();
  await completing;
  await coordinators.pass(SOON_MS);
  expect(coordinators.pieceKeys).toEqual([]);
});
