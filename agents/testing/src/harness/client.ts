/** The AWS SDK as users run it, but for trying again: tests want to see every answer. */
import { S3Client } from "@aws-sdk/client-s3";
import type { TestVault } from "./vault.ts";

export { S3Client } from "@aws-sdk/client-s3";

export function createClient({ endpoint, key }: TestVault, config: object = {}): S3Client {
  return new S3Client({
    endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
    ...config,
  });
}

export async function bytesOf(
  body: { transformToByteArray(): Promise<Uint8Array> } | undefined,
): Promise<Buffer> {
  return Buffer.from((await body?.transformToByteArray()) ?? []);
}
