import { S3Client } from "@stashlight/s3/client";
import { startEdge, testKeys } from "@stashlight/s3/testing";

/** An S3 server for one spec on this machine, with one bucket. */
export interface SpecObjectStore {
  readonly url: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Keys of the stored objects. */
  keys(): Promise<string[]>;
  close(): Promise<void>;
}

export async function startObjectStore(): Promise<SpecObjectStore> {
  const bucket = "benchmarks";
  const edge = await startEdge();
  const { id: accessKeyId, secret: secretAccessKey } = testKeys.writer;
  const client = new S3Client({ endpoint: edge.url, region: "us-east-1", accessKey: testKeys.writer });
  await client.createBucket(bucket);
  return {
    url: edge.url,
    bucket,
    accessKeyId,
    secretAccessKey,
    keys: async () => (await client.listPage(bucket)).objects.map(({ key }) => key),
    close: async () => {
      client.close();
      await edge.close();
    },
  };
}
