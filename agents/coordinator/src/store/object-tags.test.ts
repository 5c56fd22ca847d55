import { S3Error, type Tag } from "@stashlight/s3";
import { beforeEach, expect, test } from "vitest";
import {
  BUCKET,
  beginMultipart,
  Coordinators,
  complete,
  context,
  put,
  putPart,
  remove,
  type TestCoordinator,
} from "../space/testing/coordinators.ts";
import type { VaultVerbs } from "../vault/verbs.ts";

const SMALL = "small";
const LARGE = "a body of several pieces";
const tags: readonly Tag[] = [{ key: "team", value: "a=b ü" }];
const name = { bucket: BUCKET, key: "k" };

let coordinators: Coordinators;
let first: TestCoordinator;

beforeEach(async () => {
  ({ coordinators, first } = await Coordinators.start());
});

const tagIt = () => first.store.putObjectTags(context, { ...name, tags });
const info = () => first.store.findObject(context, name);

async function read(): Promise<string> {
  const { info: found, read: open } = await first.store.getObject(context, { ...name, customerKey: null });
  const chunks: Uint8Array[] = [];
  for await (const chunk of open({ start: 0, end: found.sizeBytes })) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => "done",
    (error: unknown) => (error instanceof S3Error ? error.code : String(error)),
  );
}

/** Runs `work` before each write of the object's record by another request. */
function meanwhile(work: () => Promise<unknown>, countMax = 1): void {
  let isOwn = false;
  let left = countMax;
  coordinators.vault.before = async (verb: keyof VaultVerbs, bucket) => {
    if (isOwn || verb !== "put" || bucket !== BUCKET || left === 0) return;
    left -= 1;
    isOwn = true;
    await work();
    isOwn = false;
  };
}

test.each([SMALL, LARGE])("tags change neither ETag, time nor content of %j", async (body) => {
  await put(first, "k", body);
  const before = await info();
  const pieces = coordinators.pieceKeys;
  await tagIt();
  expect(await info()).toEqual({ ...before, attributes: { ...before.attributes, tags } });
  expect(await read()).toBe(body);
  await coordinators.pass(3_600_000);
  expect(coordinators.pieceKeys).toEqual(pieces);
  expect(await read()).toBe(body);
  await remove(first, "k");
  await coordinators.pass(60_000);
  expect(coordinators.pieceKeys).toEqual([]);
});

test("existing tags are not written again", async () => {
  await put(first, "k", SMALL);
  await tagIt();
  coordinators.vault.takeAsked();
  await tagIt();
  expect(coordinators.vault.takeAsked()).toEqual({ [`get ${BUCKET}`]: 1 });
});

test.each([SMALL, LARGE])("a put of the same bytes %j in between keeps its own metadata", async (body) => {
  await put(first, "k", body);
  const other = { contentType: "text/other", contentHeaders: {}, userMetadata: { by: "other" }, tags: [] };
  meanwhile(async () => {
    const { store } = first;
    const stream = { kind: "stream", sizeBytesMax: body.length } as const;
    const digests = { etag: `etag of ${body}`, checksum: null };
    const chunks = (async function* () {
      yield Buffer.from(body);
    })();
    const precondition = { kind: "none" } as const;
    const upload = { ...stream, chunks, verify: async () => digests };
    const encryption = { kind: "default" } as const;
    await store.putObject(context, { ...name, attributes: other, precondition, encryption, body: upload });
  });
  await tagIt();
  expect((await info()).attributes).toEqual({ ...other, tags });
  await coordinators.pass(3_600_000);
  expect(await read()).toBe(body);
});

test.each([SMALL, LARGE])("a deletion of %j in between is not undone", async (body) => {
  await put(first, "k", body);
  meanwhile(() => remove(first, "k"));
  expect(await codeOf(tagIt())).toBe("NoSuchKey");
  await coordinators.pass(3_600_000);
  expect([coordinators.vault.keysIn(BUCKET), coordinators.pieceKeys]).toEqual([[], []]);
});

test("clients that compete for the key get errors, and the last put wins", async () => {
  await put(first, "k", SMALL);
  let count = 0;
  meanwhile(async () => {
    count += 1;
    await put(first, "k", `${SMALL} ${count}`);
  }, 100);
  expect(await codeOf(tagIt())).toBe("ConditionalRequestConflict");
  expect([count, await read(), (await info()).attributes.tags]).toEqual([5, "small 5", []]);
});

test("a missing object and a missing bucket are distinguished", async () => {
  expect(await codeOf(tagIt())).toBe("NoSuchKey");
  const elsewhere = first.store.putObjectTags(context, { bucket: "none", key: "k", tags });
  expect(await codeOf(elsewhere)).toBe("NoSuchBucket");
});

test("a completion repeated after the object was tagged is recognised", async () => {
  const uploadId = await beginMultipart(first, "k");
  await putPart(first, "k", uploadId, 1, LARGE);
  await complete(first, "k", uploadId, [1]);
  const { completion } = await info();
  await tagIt();
  expect(completion).not.toBeNull();
  expect((await info()).completion).toBe(completion);
});
