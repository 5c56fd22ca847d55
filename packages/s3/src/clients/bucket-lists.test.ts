/** ListBuckets in pages and by prefix and region, and CreateBucket in other regions than us-east-1. */
import { CreateBucketCommand, ListBucketsCommand } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, test } from "vitest";
import { useAwsClient, useEdge } from "../testing/use-edge.ts";

const region = "eu-central-1";
const edge = await useEdge({ region });
const s3 = useAwsClient(edge, { region });

beforeAll(async () => {
  for (const Bucket of ["b-3", "a-2", "a-1", "b-4", "a-0"])
    await s3.send(new CreateBucketCommand({ Bucket }));
});

const namesOf = (buckets: readonly { readonly Name?: string }[] = []) => buckets.map(({ Name }) => Name);

describe("ListBuckets", () => {
  test.each([
    [{}, ["a-0", "a-1", "a-2", "b-3", "b-4"]],
    [{ Prefix: "a-" }, ["a-0", "a-1", "a-2"]],
    [{ Prefix: "none" }, []],
    [{ BucketRegion: region }, ["a-0", "a-1", "a-2", "b-3", "b-4"]],
    [{ BucketRegion: "us-east-1" }, []],
    [{ Prefix: "b-", BucketRegion: region, MaxBuckets: 2 }, ["b-3", "b-4"]],
  ])("with %j lists %j", async (wish, expected) => {
    const { Buckets, ContinuationToken, Prefix } = await s3.send(new ListBucketsCommand(wish));
    expect([namesOf(Buckets), ContinuationToken]).toEqual([expected, undefined]);
    expect(Prefix).toBe((wish as { Prefix?: string }).Prefix);
    expect(new Set(Buckets?.map(({ BucketRegion }) => BucketRegion))).toEqual(
      new Set(expected.length === 0 ? [] : [region]),
    );
  });

  test("pages follow each other without gaps", async () => {
    const pages: unknown[] = [];
    let ContinuationToken: string | undefined;
    do {
      const page = await s3.send(new ListBucketsCommand({ MaxBuckets: 2, ContinuationToken }));
      pages.push(namesOf(page.Buckets));
      ContinuationToken = page.ContinuationToken;
    } while (ContinuationToken !== undefined);
    expect(pages).toEqual([["a-0", "a-1"], ["a-2", "b-3"], ["b-4"]]);
  });

  test.each([{ MaxBuckets: 0 }, { MaxBuckets: 10_001 }, { ContinuationToken: "none of ours" }])(
    "refuses %j",
    async (wish) => {
      await expect(s3.send(new ListBucketsCommand(wish))).rejects.toMatchObject({ name: "InvalidArgument" });
    },
  );
});

test("outside us-east-1, an owner who creates a bucket again gets BucketAlreadyOwnedByYou", async () => {
  await expect(s3.send(new CreateBucketCommand({ Bucket: "a-1" }))).rejects.toMatchObject({
    name: "BucketAlreadyOwnedByYou",
    $metadata: { httpStatusCode: 409 },
  });
});

test.each(["dot.-dash", "dash-.dot"])("%s is a valid bucket name, as AWS documents it", async (Bucket) => {
  await s3.send(new CreateBucketCommand({ Bucket }));
  expect(namesOf((await s3.send(new ListBucketsCommand({ Prefix: Bucket }))).Buckets)).toEqual([Bucket]);
});
