/** Creates and removes buckets for tools that cannot do it themselves. */
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import type { VaultAddress } from "../tool.ts";

export function createClient(vault: VaultAddress): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey, authority } = vault;
  return new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    ...(authority !== null && { requestHandler: { httpsAgent: { ca: authority } } }),
  });
}

export async function createBucket(vault: VaultAddress, bucket: string): Promise<void> {
  const client = createClient(vault);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
}

export async function removeBucket(vault: VaultAddress, bucket: string): Promise<void> {
  const client = createClient(vault);
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket })) {
    const Objects = Contents.map(({ Key }) => ({ Key }));
    if (Objects.length > 0)
      await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } }));
  }
  await client.send(new DeleteBucketCommand({ Bucket: bucket }));
  client.destroy();
}
