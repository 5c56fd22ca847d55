/** Lifecycle rules as the AWS SDK for JavaScript writes and reads them, and the headers that follow from them. */
import * as aws from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { awsClientOf } from "../testing/aws-client.ts";
import { startEdge, testKeys } from "../testing/start-edge.ts";
import { useAwsClient, useEdge } from "../testing/use-edge.ts";

const Bucket = "rules";
const NOW_MS = Date.now();
const edge = await useEdge({ nowMs: () => NOW_MS });
const s3 = useAwsClient(edge);
await s3.send(new aws.CreateBucketCommand({ Bucket }));

const read = () => s3.send(new aws.GetBucketLifecycleConfigurationCommand({ Bucket }));
const write = (...Rules: aws.LifecycleRule[]) =>
  s3.send(new aws.PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }));

/** Midnight after this number of days. */
function midnight(days: number): Date {
  const date = new Date(NOW_MS);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + days + 1));
}

const expiry = (days: number, id: string) => `expiry-date="${midnight(days).toUTCString()}", rule-id="${id}"`;

test("rules are read back as written, until they are removed", async () => {
  const rules: aws.LifecycleRule[] = [
    { ID: "legacy", Prefix: "old/", Status: "Enabled", Expiration: { Days: 1 } },
    { ID: "all", Filter: {}, Status: "Disabled", Expiration: { Date: midnight(3) } },
    {
      ID: "some & others",
      Filter: {
        And: {
          Prefix: "a/",
          Tags: [{ Key: "k", Value: "v" }],
          ObjectSizeGreaterThan: 0,
          ObjectSizeLessThan: 9,
        },
      },
      Status: "Enabled",
      Expiration: { Days: 2 },
    },
    {
      ID: "uploads",
      Filter: { Prefix: "" },
      Status: "Enabled",
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 2 },
    },
    { ID: "markers", Filter: {}, Status: "Enabled", Expiration: { ExpiredObjectDeleteMarker: true } },
  ];
  await expect(read()).rejects.toMatchObject({ name: "NoSuchLifecycleConfiguration" });
  await write(...rules);
  expect(await read()).toMatchObject({
    Rules: rules,
    TransitionDefaultMinimumObjectSize: "all_storage_classes_128K",
  });
  const refused = write({
    ID: "v",
    Filter: {},
    Status: "Enabled",
    NoncurrentVersionExpiration: { NoncurrentDays: 1 },
  });
  await expect(refused).rejects.toMatchObject({ name: "NotImplemented" });
  expect((await read()).Rules).toHaveLength(rules.length);
  await s3.send(new aws.DeleteBucketLifecycleCommand({ Bucket }));
  await expect(read()).rejects.toMatchObject({ name: "NoSuchLifecycleConfiguration" });
});

test("PUT, copy, completion, GET and HEAD report when the object expires by the first rule that matches", async () => {
  await write(
    { ID: "slow", Filter: {}, Status: "Enabled", Expiration: { Days: 30 } },
    {
      ID: "fast ü",
      Filter: { Tag: { Key: "fast", Value: "yes" } },
      Status: "Enabled",
      Expiration: { Days: 1 },
    },
  );
  const name = { Bucket, Key: "k" };
  const put = await s3.send(new aws.PutObjectCommand({ ...name, Body: "x", Tagging: "fast=yes" }));
  const fast = expiry(1, "fast%20%C3%BC");
  expect(put.Expiration).toBe(fast);
  expect((await s3.send(new aws.HeadObjectCommand(name))).Expiration).toBe(fast);
  expect((await s3.send(new aws.GetObjectCommand(name))).Expiration).toBe(fast);
  const copy = { Bucket, Key: "copy", CopySource: `${Bucket}/k` };
  expect((await s3.send(new aws.CopyObjectCommand(copy))).Expiration).toBe(fast);
  await s3.send(new aws.DeleteObjectTaggingCommand(name));
  expect((await s3.send(new aws.HeadObjectCommand(name))).Expiration).toBe(expiry(30, "slow"));
  const { UploadId } = await s3.send(new aws.CreateMultipartUploadCommand({ ...name, Tagging: "fast=yes" }));
  const part = await s3.send(new aws.UploadPartCommand({ ...name, UploadId, PartNumber: 1, Body: "x" }));
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag: part.ETag }] };
  const completed = await s3.send(
    new aws.CompleteMultipartUploadCommand({ ...name, UploadId, MultipartUpload }),
  );
  expect(completed.Expiration).toBe(fast);
  await s3.send(new aws.DeleteBucketLifecycleCommand({ Bucket }));
  expect((await s3.send(new aws.HeadObjectCommand(name))).Expiration).toBeUndefined();
});

test("an upload reports when it is aborted, by its rule or by the default of a week", async () => {
  const name = { Bucket, Key: "upload" };
  const byDefault = await s3.send(new aws.CreateMultipartUploadCommand(name));
  expect([byDefault.AbortDate, byDefault.AbortRuleId]).toEqual([
    midnight(7),
    "stashlight-default-abort-after-7-days",
  ]);
  const AbortIncompleteMultipartUpload = { DaysAfterInitiation: 2 };
  await write({ ID: "soon", Filter: {}, Status: "Enabled", AbortIncompleteMultipartUpload });
  const { UploadId } = byDefault;
  const listed = await s3.send(new aws.ListPartsCommand({ ...name, UploadId }));
  expect([listed.AbortDate, listed.AbortRuleId]).toEqual([midnight(2), "soon"]);
});

test("a read-only key cannot change rules, and a PUT succeeds even if the rules cannot be looked up", async () => {
  const reader = awsClientOf(edge, testKeys.reader);
  const removed = reader.send(new aws.DeleteBucketLifecycleCommand({ Bucket }));
  await expect(removed).rejects.toMatchObject({ name: "AccessDenied" });
  reader.destroy();
  const broken = await startEdge({
    overrides: { readBucketSetting: () => Promise.reject(new Error("The vault is away.")) },
  });
  broken.store.addBucket(Bucket);
  const client = awsClientOf(broken);
  const stored = await client.send(new aws.PutObjectCommand({ Bucket, Key: "k", Body: "x" }));
  expect(stored.ETag).toMatch(/^"[0-9a-f]{32}"$/);
  client.destroy();
  await broken.close();
});
