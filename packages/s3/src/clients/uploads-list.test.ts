/** ListMultipartUploads with a delimiter, page by page, as the AWS SDK for JavaScript sees it. */
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
} from "@aws-sdk/client-s3";
import { beforeAll, expect, test } from "vitest";
import { useAwsClient, useEdge } from "../testing/use-edge.ts";

const Bucket = "uploads";
const keys = ["a", "b/1", "b/1", "b/2", "b/c/3", "c", "c", "d/\u{10ffff}1", "d/2", "e", "ü/1"];
const edge = await useEdge();
const s3 = useAwsClient(edge);

beforeAll(async () => {
  await s3.send(new CreateBucketCommand({ Bucket }));
  for (const Key of keys) await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
});

interface Listed {
  readonly uploads: string[];
  readonly prefixes: string[];
  readonly pageSizes: number[];
}

async function listAll(wish: { Prefix?: string; Delimiter?: string; MaxUploads: number }): Promise<Listed> {
  const listed: Listed = { uploads: [], prefixes: [], pageSizes: [] };
  let markers: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
  for (;;) {
    const page = await s3.send(new ListMultipartUploadsCommand({ Bucket, ...wish, ...markers }));
    const { Uploads = [], CommonPrefixes = [] } = page;
    listed.uploads.push(...Uploads.map(({ Key = "" }) => Key));
    listed.prefixes.push(...CommonPrefixes.map(({ Prefix = "" }) => Prefix));
    listed.pageSizes.push(Uploads.length + CommonPrefixes.length);
    expect(page.Delimiter).toBe(wish.Delimiter);
    if (page.IsTruncated !== true) return listed;
    markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
}

const sorted = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

test.each([1, 2, 3, 1000])("without a delimiter, pages of %i list all uploads", async (MaxUploads) => {
  const { uploads, prefixes, pageSizes } = await listAll({ MaxUploads });
  expect([uploads, prefixes]).toEqual([sorted, []]);
  expect(Math.max(...pageSizes)).toBeLessThanOrEqual(MaxUploads);
});

test.each([1, 2, 3, 4, 1000])(
  "with a delimiter, pages of %i list groups and the other uploads",
  async (MaxUploads) => {
    const { uploads, prefixes, pageSizes } = await listAll({ Delimiter: "/", MaxUploads });
    expect([uploads, prefixes]).toEqual([
      ["a", "c", "c", "e"],
      ["b/", "d/", "ü/"],
    ]);
    expect(Math.max(...pageSizes)).toBeLessThanOrEqual(MaxUploads);
  },
);

test.each([1, 2, 1000])("below a prefix, pages of %i list all uploads", async (MaxUploads) => {
  const { uploads, prefixes } = await listAll({ Prefix: "b/", Delimiter: "/", MaxUploads });
  expect([uploads, prefixes]).toEqual([["b/1", "b/1", "b/2"], ["b/c/"]]);
});
