/** Compares a vault, object by object and bucket by bucket, with everything that clients know was acknowledged. */
import {
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  type S3Client,
} from "@aws-sdk/client-s3";
import { readBody } from "../client.ts";
import type { Load } from "../load-clients.ts";
import { isUnavailable, retryWhileUnavailable } from "../retry-requests.ts";
import type { KeptObjects } from "./kept-objects.ts";

export interface Audited {
  readonly s3: S3Client;
  readonly kept: KeptObjects;
  readonly loads: readonly Load[];
  /** Additional buckets beside those of the kept objects. */
  readonly buckets: readonly string[];
}

export interface Findings {
  /** Objects that cannot be read. */
  readonly lost: string[];
  /** Objects with wrong bytes, and deleted objects that came back. */
  readonly wrong: string[];
  /** Objects reported as non-existent, by GET, by HEAD or in a list. */
  readonly nonExistent: string[];
  readonly bucketsLost: string[];
}

export const NO_FINDINGS: Findings = { lost: [], wrong: [], nonExistent: [], bucketsLost: [] };

const CONCURRENCY = 4;

/** Waits for the result, because faults may be temporary. */
const waitFor = <Value>(what: string, look: () => Promise<Value>) =>
  retryWhileUnavailable(what, look, { isPassing: isUnavailable });

/** Reads every object to its end; one that is answered with a request to retry for a minute counts as lost. */
export async function audit(audited: Audited): Promise<Findings> {
  const findings: Findings = { lost: [], wrong: [], nonExistent: [], bucketsLost: [] };
  await auditBuckets(audited, findings);
  const { s3, kept, loads } = audited;
  const checks = [
    ...kept.objects.map(({ bucket, key, body }) => () => {
      const judge = (seen: Buffer | null) =>
        seen?.equals(body) === true ? null : `${bucket}/${key} should hold its ${body.length} bytes`;
      return auditObject(s3, { bucket, key, mustExist: true, judge }, findings);
    }),
    ...loads.flatMap(({ bucket, ledger }) => {
      const present = new Set(ledger.presentKeys);
      return ledger.keys.map((key) => () => {
        const judge = (seen: Buffer | null) => ledger.judge(key, seen);
        return auditObject(s3, { bucket, key, mustExist: present.has(key), judge }, findings);
      });
    }),
  ];
  const work = async (): Promise<void> => {
    for (let check = checks.pop(); check !== undefined; check = checks.pop()) await check();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  await auditLists(audited, findings);
  return findings;
}

async function auditBuckets({ s3, kept, buckets }: Audited, { bucketsLost }: Findings): Promise<void> {
  const all = [...kept.buckets, ...buckets];
  const list = () => s3.send(new ListBucketsCommand({}));
  const { value } = await waitFor("buckets can be listed", list);
  const listed = new Set(value.Buckets?.map(({ Name }) => Name));
  for (const Bucket of all) {
    if (!listed.has(Bucket)) bucketsLost.push(`${Bucket} is not listed`);
    const head = () => s3.send(new HeadBucketCommand({ Bucket }));
    await waitFor(`${Bucket} is there`, head).catch((error: Error) =>
      bucketsLost.push(`${Bucket}: ${error.name}: ${error.message}`),
    );
  }
}

interface Expected {
  readonly bucket: string;
  readonly key: string;
  readonly mustExist: boolean;
  readonly judge: (seen: Buffer | null) => string | null;
}

async function auditObject(
  s3: S3Client,
  { bucket: Bucket, key: Key, mustExist, judge }: Expected,
  { lost, wrong, nonExistent }: Findings,
): Promise<void> {
  const name = `${Bucket}/${Key}`;
  try {
    const got = await waitFor(`${name} can be read`, () => seen(() => get(s3, Bucket, Key)));
    const head = await waitFor(`${name} has a head`, () =>
      seen(() => s3.send(new HeadObjectCommand({ Bucket, Key }))),
    );
    const complaint = judge(got.value);
    if (got.value === null && mustExist) nonExistent.push(name);
    else if (complaint !== null) wrong.push(complaint);
    if ((head.value === null) !== (got.value === null))
      nonExistent.push(`${name} exists for GET or HEAD only`);
    else if (head.value !== null && head.value.ContentLength !== got.value?.length)
      wrong.push(`${name} has ${head.value.ContentLength} bytes for HEAD and ${got.value?.length} for GET`);
  } catch (error) {
    lost.push(`${name}: ${(error as Error).message}`);
  }
}

async function get(s3: S3Client, Bucket: string, Key: string): Promise<Buffer> {
  return readBody((await s3.send(new GetObjectCommand({ Bucket, Key }))).Body);
}

/** Returns null if the object does not exist. */
async function seen<Value>(look: () => Promise<Value>): Promise<Value | null> {
  try {
    return await look();
  } catch (error) {
    const { name } = error as Error;
    if (name === "NoSuchKey" || name === "NotFound" || name === "NoSuchBucket") return null;
    throw error;
  }
}

async function auditLists({ s3, kept, loads }: Audited, { nonExistent }: Findings): Promise<void> {
  const expected = new Map<string, string[]>();
  const expect = (bucket: string, key: string) =>
    expected.set(bucket, [...(expected.get(bucket) ?? []), key]);
  for (const { bucket, key } of kept.objects) expect(bucket, key);
  for (const { bucket, ledger } of loads) for (const key of ledger.presentKeys) expect(bucket, key);
  for (const [bucket, keys] of expected) {
    const listing = waitFor(`${bucket} can be listed`, () => list(s3, bucket));
    const listed = await listing.then(
      ({ value }) => value,
      (error: Error) => {
        nonExistent.push(`${bucket} cannot be listed: ${error.message}`);
        return new Set(keys);
      },
    );
    nonExistent.push(
      ...keys.filter((key) => !listed.has(key)).map((key) => `${bucket}/${key} is not listed`),
    );
  }
}

async function list(s3: S3Client, Bucket: string): Promise<Set<string>> {
  const keys = new Set<string>();
  for (let ContinuationToken: string | undefined; ; ) {
    const page = await s3.send(new ListObjectsV2Command({ Bucket, ContinuationToken, MaxKeys: 100 }));
    for (const { Key = "" } of page.Contents ?? []) keys.add(Key);
    if (page.IsTruncated !== true) return keys;
    ContinuationToken = page.NextContinuationToken;
  }
}

/** Lists all differences, and all complaints of clients. */
export async function describeDifferences(audited: Audited): Promise<string[]> {
  const { lost, wrong, nonExistent, bucketsLost } = await audit(audited);
  const complaints = [...audited.kept.complaints, ...audited.loads.flatMap((load) => load.complaints)];
  return [...lost, ...wrong, ...nonExistent, ...bucketsLost, ...complaints];
}
