/** Tests CompleteMultipartUpload repeated at another coordinator and after a restart. */
import { randomBytes } from "node:crypto";
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, readBody } from "../harness/client.ts";
import { useSecondCoordinator } from "../harness/second-coordinator.ts";
import { useVault } from "../harness/use-vault.ts";

const MIB = 1_048_576;
const Bucket = "completions";
const second = await useSecondCoordinator();
const used = useVault({
  processes: "one a node",
  podVolume: { segmentBytes: 8 * MIB, segmentCount: 12 },
  amend: second.amend,
});
let other: S3Client;

beforeAll(async () => {
  other = createClient(used.vault, { endpoint: second.endpoint });
  await used.s3.send(new CreateBucketCommand({ Bucket }));
});

afterAll(() => other?.destroy());

interface Uploaded {
  readonly Key: string;
  readonly UploadId: string;
  readonly Parts: readonly CompletedPart[];
}

async function upload(Key: string, bodies: readonly Buffer[]): Promise<Uploaded> {
  const { UploadId = "" } = await used.s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const Parts: CompletedPart[] = [];
  for (const [i, Body] of bodies.entries()) {
    const PartNumber = i + 1;
    const { ETag } = await used.s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
    Parts.push({ PartNumber, ETag });
  }
  return { Key, UploadId, Parts };
}

const complete = (s3: S3Client, { Key, UploadId, Parts }: Uploaded, options: object = {}) => {
  const MultipartUpload = { Parts: [...Parts] };
  return s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload, ...options }));
};

test("a repeated completion gets the same answer from another coordinator, and from both after kill -9", async () => {
  const bodies = [randomBytes(5 * MIB), randomBytes(10)];
  const uploaded = await upload("again", bodies);
  const { ETag } = await complete(used.s3, uploaded, { IfNoneMatch: "*" });
  const { LastModified } = await used.s3.send(new HeadObjectCommand({ Bucket, Key: "again" }));
  const asked = async (s3: S3Client) => (await complete(s3, uploaded, { IfNoneMatch: "*" })).ETag;
  expect([await asked(used.s3), await asked(other)]).toEqual([ETag, ETag]);
  const coordinators = used.vault.nodeIdsOf("coordinator");
  await used.vault.kill(coordinators);
  used.vault.start(coordinators);
  await used.vault.ready(coordinators);
  expect([await asked(other), await asked(used.s3)]).toEqual([ETag, ETag]);
  const got = await used.s3.send(new GetObjectCommand({ Bucket, Key: "again" }));
  expect((await readBody(got.Body)).equals(Buffer.concat(bodies))).toBe(true);
  expect(got.LastModified).toEqual(LastModified);
});

test("concurrent completions at both coordinators all succeed, and the upload is gone afterwards", async () => {
  const bodies = [randomBytes(5 * MIB), randomBytes(10)];
  const uploaded = await upload("at once", bodies);
  const answers = await Promise.all([used.s3, other, used.s3, other].map((s3) => complete(s3, uploaded)));
  expect(new Set(answers.map(({ ETag }) => ETag)).size).toBe(1);
  const got = await other.send(new GetObjectCommand({ Bucket, Key: "at once" }));
  expect((await readBody(got.Body)).equals(Buffer.concat(bodies))).toBe(true);
  expect((await used.s3.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []).toEqual([]);
});

test("after the object is overwritten or deleted, the upload is unknown and nothing is written", async () => {
  for (const [Key, end] of [
    ["overwritten", () => other.send(new PutObjectCommand({ Bucket, Key: "overwritten", Body: "newer" }))],
    ["deleted", () => other.send(new DeleteObjectCommand({ Bucket, Key: "deleted" }))],
  ] as const) {
    const uploaded = await upload(Key, [randomBytes(10)]);
    await complete(used.s3, uploaded);
    await end();
    for (const s3 of [used.s3, other]) {
      await expect(complete(s3, uploaded)).rejects.toMatchObject({ name: "NoSuchUpload" });
    }
  }
  const newer = await used.s3.send(new GetObjectCommand({ Bucket, Key: "overwritten" }));
  expect((await readBody(newer.Body)).toString()).toBe("newer");
});

test("parts are read by their numbers, whether they consist of one piece or several", async () => {
  const bodies = [randomBytes(5 * MIB), randomBytes(5 * MIB + 1), randomBytes(3)];
  await complete(used.s3, await upload("parts", bodies));
  for (const [i, body] of bodies.entries()) {
    const name = { Bucket, Key: "parts", PartNumber: i + 1 };
    const got = await other.send(new GetObjectCommand(name));
    expect(got).toMatchObject({ PartsCount: 3, $metadata: { httpStatusCode: 206 } });
    expect((await readBody(got.Body)).equals(body)).toBe(true);
    expect((await other.send(new HeadObjectCommand(name))).ContentRange).toBe(got.ContentRange);
  }
  const beyond = new GetObjectCommand({ Bucket, Key: "parts", PartNumber: 4 });
  await expect(other.send(beyond)).rejects.toMatchObject({ name: "InvalidPartNumber" });
  await used.s3.send(new PutObjectCommand({ Bucket, Key: "in pieces", Body: randomBytes(3 * MIB) }));
  const whole = await other.send(new HeadObjectCommand({ Bucket, Key: "in pieces", PartNumber: 1 }));
  expect([whole.ContentLength, whole.PartsCount]).toEqual([3 * MIB, undefined]);
  const { UploadId } = await used.s3.send(new CreateMultipartUploadCommand({ Bucket, Key: "copy" }));
  const CopySourceRange = `bytes=0-${3 * MIB}`;
  const place = { Bucket, Key: "copy", UploadId, PartNumber: 1 };
  const copy = new UploadPartCopyCommand({ ...place, CopySource: `/${Bucket}/in pieces`, CopySourceRange });
  await expect(used.s3.send(copy)).rejects.toMatchObject({ name: "InvalidRange" });
});

test("concurrent writers with another ETag in If-None-Match succeed or get a conflict, and one with the current ETag replaces nothing", async () => {
  const name = { Bucket, Key: "turns" };
  // Clients retry after the 503 that is answered while a newer version hides how a write ended.
  const writers = [used.vault.endpoint, second.endpoint].map((endpoint) =>
    createClient(used.vault, { endpoint, retryStrategy: undefined, maxAttempts: 3 }),
  );
  const bodies = Array.from({ length: 6 }, (_, i) => `writer ${i}`);
  const outcomes = await Promise.all(
    bodies.map(async (Body, i) => {
      const put = new PutObjectCommand({ ...name, Body, IfNoneMatch: '"00000000000000000000000000000000"' });
      const outcome = await writers[i % 2]?.send(put).catch((error: Error) => error);
      return outcome instanceof Error ? outcome.name : 200;
    }),
  );
  for (const writer of writers) writer.destroy();
  for (const outcome of outcomes) expect([200, "ConditionalRequestConflict"]).toContain(outcome);
  const { ETag, Body } = await used.s3.send(new GetObjectCommand(name));
  expect(bodies).toContain((await readBody(Body)).toString());
  const again = new PutObjectCommand({ ...name, Body: "again", IfNoneMatch: ETag });
  await expect(other.send(again)).rejects.toMatchObject({ name: "PreconditionFailed" });
  const { Versions } = await other.send(new ListObjectVersionsCommand({ Bucket, Prefix: "turns" }));
  expect(Versions).toMatchObject([{ Key: "turns", VersionId: "null", IsLatest: true, ETag }]);
});
