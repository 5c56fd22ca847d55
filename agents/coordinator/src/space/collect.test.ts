import { S3Error } from "@stashlight/s3";
import { expect, test } from "vitest";
import { PARTS, UPLOADS } from "../records/multipart-records.ts";
import { PIECES } from "../records/pieces.ts";
import { VaultError } from "../vault/errors.ts";
import {
  abort,
  BUCKET,
  beginMultipart,
  Coordinators,
  complete,
  openRead,
  PIECE_BYTES,
  put,
  putPart,
  readOn,
  remove,
  streamOf,
  type TestCoordinator,
} from "./testing/coordinators.ts";

const BODY = "0123456789abcdefghijklmno";
const OTHER = "ABCDEFGHIJKLMNOPQRSTU";
const SOON_MS = 60_000;

const read = async (coordinator: TestCoordinator, key: string) => readOn(await openRead(coordinator, key));

type Garbage = (coordinator: TestCoordinator) => Promise<unknown>;

const garbage: [string, Garbage, number][] = [
  [
    "is deleted",
    async (at) => {
      await put(at, "k", BODY);
      await remove(at, "k");
    },
    0,
  ],
  [
    "is overwritten by another large object",
    async (at) => {
      await put(at, "k", BODY);
      await put(at, "k", OTHER);
    },
    3,
  ],
  [
    "is overwritten by a small object",
    async (at) => {
      await put(at, "k", BODY);
      await put(at, "k", "small");
    },
    0,
  ],
  [
    "is aborted by the client",
    async (at) => {
      await expect(put(at, "k", streamOf(BODY, 15))).rejects.toThrow("gone");
    },
    0,
  ],
  [
    "does not match its signature",
    async (at) => {
      const verify = () => Promise.reject(new Error("not what was signed"));
      await expect(put(at, "k", { ...streamOf(BODY), verify } as never)).rejects.toThrow("signed");
    },
    0,
  ],
  [
    "fails its precondition at the end",
    async (at) => {
      await put(at, "k", "small");
      const refused = put(at, "k", BODY, { kind: "absent" });
      await expect(refused).rejects.toMatchObject({ code: "PreconditionFailed" });
    },
    0,
  ],
  [
    "is a part of an upload that is aborted",
    async (at) => {
      const uploadId = await beginMultipart(at, "k");
      await putPart(at, "k", uploadId, 1, BODY);
      await putPart(at, "k", uploadId, 2, BODY);
      await abort(at, "k", uploadId);
    },
    0,
  ],
  [
    "is a part that is uploaded again",
    async (at) => {
      const uploadId = await beginMultipart(at, "k");
      await putPart(at, "k", uploadId, 1, BODY);
      await putPart(at, "k", uploadId, 1, OTHER);
    },
    3,
  ],
  [
    "is a part that the completed object leaves out",
    async (at) => {
      const uploadId = await beginMultipart(at, "k");
      await putPart(at, "k", uploadId, 1, OTHER);
      await putPart(at, "k", uploadId, 2, BODY);
      await complete(at, "k", uploadId, [1]);
    },
    3,
  ],
  [
    "belongs to a deleted multipart object",
    async (at) => {
      const uploadId = await beginMultipart(at, "k");
      await putPart(at, "k", uploadId, 1, OTHER);
      await putPart(at, "k", uploadId, 2, BODY);
      await complete(at, "k", uploadId, [1, 2]);
      await remove(at, "k");
    },
    0,
  ],
];

test.each(garbage)("a body that %s is collected after the grace, and not before", async (_, make, left) => {
  const { coordinators, first } = await Coordinators.start();
  await make(first);
  const pieceCount = coordinators.pieceKeys.length;
  expect(pieceCount).toBeGreaterThan(left);
  expect(first.collector.waitingBytes).toBeGreaterThan(0);
  await coordinators.pass(coordinators.timing.graceMs - 1);
  expect(coordinators.pieceKeys).toHaveLength(pieceCount);
  await coordinators.pass(SOON_MS - coordinators.timing.graceMs);
  expect(coordinators.pieceKeys).toHaveLength(left);
  expect(first.collector.waitingBytes).toBe(0);
  expect(first.collector.collectedCount).toBe(pieceCount - left);
  expect(first.failures).toEqual([]);
});

test("data in use is never collected at any age", async () => {
  const { coordinators, first } = await Coordinators.start();
  await put(first, "k", BODY);
  const completed = await beginMultipart(first, "parts");
  await putPart(first, "parts", completed, 1, BODY);
  await putPart(first, "parts", completed, 2, OTHER);
  await complete(first, "parts", completed, [1, 2]);
  const open = await beginMultipart(first, "open");
  await putPart(first, "open", open, 7, OTHER);
  await coordinators.pass(3 * coordinators.timing.sweepGraceMs);
  expect(first.sweep.passCount).toBeGreaterThan(10);
  expect(await read(first, "k")).toBe(BODY);
  expect(await read(first, "parts")).toBe(BODY + OTHER);
  await complete(first, "open", open, [7]);
  expect(await read(first, "open")).toBe(OTHER);
});

test("an object keeps its pieces if its deletion is refused", async () => {
  const { coordinators, first } = await Coordinators.start();
  await put(first, "k", BODY);
  coordinators.vault.before = (verb, bucket) => {
    if (verb === "delete" && bucket === BUCKET) throw new VaultError("unavailable");
  };
  await expect(remove(first, "k")).rejects.toMatchObject({ code: "SlowDown" });
  await coordinators.pass(SOON_MS);
  expect(await read(first, "k")).toBe(BODY);
  expect(first.collector.waitingBytes).toBe(0);
});

test("an upload shed by admission leaves nothing to collect", async () => {
  const { coordinators, first } = await Coordinators.start();
  await put(first, "k", BODY);
  coordinators.vault.before = (verb, bucket) => {
    if (verb === "put" && bucket === BUCKET) throw new S3Error("SlowDown");
  };
  await expect(put(first, "k", "small")).rejects.toMatchObject({ code: "SlowDown" });
  expect(first.collector.waitingBytes).toBe(0);
  expect(await read(first, "k")).toBe(BODY);
});

test("a deletion that takes effect despite an error answer frees the space", async () => {
  const { coordinators, first } = await Coordinators.start();
  await put(first, "k", BODY);
  coordinators.vault.before = async (verb, bucket) => {
    if (verb !== "delete" || bucket !== BUCKET) return;
    coordinators.vault.before = () => {};
    await coordinators.vault.delete(BUCKET, "k");
    throw new VaultError("unavailable");
  };
  await expect(remove(first, "k")).rejects.toMatchObject({ code: "SlowDown" });
  await coordinators.pass(SOON_MS);
  expect(coordinators.pieceKeys).toEqual([]);
});

test("failed deletions are retried with pauses, and none is lost", async () => {
  const { coordinators, first } = await Coordinators.start();
  await put(first, "k", BODY);
  await remove(first, "k");
  let triedCount = 0;
  coordinators.vault.before = (verb, bucket, key) => {
    if (verb !== "delete" || bucket !== PIECES || !key.endsWith("1")) return;
    triedCount += 1;
    throw new VaultError("unavailable");
  };
  await coordinators.pass(10 * SOON_MS);
  expect(triedCount).toBeGreaterThan(10);
  expect(triedCount).toBeLessThan(30);
  expect(first.collector.failureCount).toBe(triedCount);
  expect(first.collector.waitingBytes).toBe(BODY.length);
  coordinators.vault.before = () => {};
  await coordinators.pass(SOON_MS);
  expect(coordinators.pieceKeys).toEqual([]);
  expect(first.collector.waitingBytes).toBe(0);
});

test("a body whose deletion fails does not block the others", async () => {
  const { coordinators, first } = await Coordinators.start();
  for (let at = 0; at < 100; at += 1) await put(first, `${at}`, BODY);
  const [stuck = ""] = coordinators.pieceKeys;
  for (let at = 0; at < 100; at += 1) await remove(first, `${at}`);
  coordinators.vault.before = (verb, bucket, key) => {
    if (verb === "head" && bucket === PIECES && key === stuck) throw new VaultError("unavailable");
  };
  await coordinators.pass(5 * SOON_MS);
  expect(coordinators.pieceKeys).toHaveLength(3);
  expect(first.collector.waitingBytes).toBe(BODY.length);
});

test("a vault that does not answer is queried rarely, even with a long queue", async () => {
  const { coordinators, first } = await Coordinators.start();
  for (let at = 0; at < 100; at += 1) await put(first, `${at}`, BODY);
  for (let at = 0; at < 100; at += 1) await remove(first, `${at}`);
  coordinators.vault.before = () => {
    throw new VaultError("unavailable");
  };
  await coordinators.pass(10 * SOON_MS);
  expect(first.failures.length).toBeGreaterThan(10);
  expect(first.failures.length).toBeLessThan(40);
});

test("nothing is collected while the readers are unknown", async () => {
  const { coordinators, first } = await Coordinators.start();
  await put(first, "k", BODY);
  await remove(first, "k");
  coordinators.vault.before = (verb) => {
    if (verb === "list") throw new VaultError("unavailable");
  };
  await coordinators.pass(SOON_MS);
  expect(coordinators.pieceKeys).toHaveLength(3);
  coordinators.vault.before = () => {};
  await coordinators.pass(SOON_MS);
  expect(coordinators.pieceKeys).toEqual([]);
});

test("a body is always referenced on its way from an upload to its object", async () => {
  const { coordinators, first } = await Coordinators.start();
  const second = coordinators.add();
  const uploadId = await beginMultipart(first, "k");
  await putPart(first, "k", uploadId, 1, BODY);
  const [piece = ""] = coordinators.pieceKeys;
  const list = { id: piece.slice(0, 32), sizeBytes: BODY.length, pieceBytes: PIECE_BYTES };
  // Completes the upload between two checks of a collector that suspects the body.
  coordinators.vault.before = async (verb, bucket) => {
    if (verb !== "head" || bucket !== UPLOADS) return;
    coordinators.vault.before = () => {};
    await complete(first, "k", uploadId, [1]);
  };
  second.collector.add([list], 0);
  await second.collector.turn();
  expect(second.collector.waitingBytes).toBe(0);
  expect(await read(first, "k")).toBe(BODY);
});

test("a part that arrives after its upload was aborted is collected with its record", async () => {
  const { coordinators, first } = await Coordinators.start();
  const uploadId = await beginMultipart(first, "k");
  coordinators.vault.before = async (verb, bucket) => {
    if (verb !== "put" || bucket !== PARTS) return;
    coordinators.vault.before = () => {};
    await abort(first, "k", uploadId);
  };
  await putPart(first, "k", uploadId, 1, BODY);
  expect(coordinators.vault.keysIn(PARTS)).toHaveLength(1);
  await coordinators.pass(2 * coordinators.timing.sweepGraceMs);
  expect(coordinators.pieceKeys).toEqual([]);
  expect(coordinators.vault.keysIn(PARTS)).toEqual([]);
});

test("garbage found by two coordinators at once is deleted once, and a new object with its name stays", async () => {
  const { coordinators, first } = await Coordinators.start();
  const second = coordinators.add();
  await put(first, "k", BODY);
  const [piece = ""] = coordinators.pieceKeys;
  const list = { id: piece.slice(0, 32), sizeBytes: BODY.length, pieceBytes: PIECE_BYTES };
  await put(second, "k", OTHER);
  first.collector.add([list], 0);
  second.collector.add([list], 0);
  await Promise.all([first.collector.turn(), second.collector.turn()]);
  first.collector.add([list], 0);
  await first.collector.turn();
  expect(coordinators.pieceKeys).toHaveLength(3);
  expect(await read(first, "k")).toBe(OTHER);
});

test("a full queue leaves the rest to the sweep, and counts it", async () => {
  const { first } = await Coordinators.start();
  const lists = Array.from({ length: 50_003 }, (_, at) => ({ id: `${at}`, sizeBytes: 2, pieceBytes: 1 }));
  first.collector.add(lists);
  expect(first.collector.leftCount).toBe(3);
  expect(first.collector.waitingBytes).toBe(100_000);
});

test("small objects are written and deleted without a search for pieces", async () => {
  const { coordinators, first } = await Coordinators.start();
  await put(first, "large", BODY);
  coordinators.vault.takeAsked();
  await put(first, "small", "1");
  await put(first, "small", "2");
  await remove(first, "small");
  expect(coordinators.vault.takeAsked()).toEqual({
    [`put ${BUCKET}`]: 2,
    [`head ${BUCKET}`]: 1,
    [`delete ${BUCKET}`]: 1,
  });
});
