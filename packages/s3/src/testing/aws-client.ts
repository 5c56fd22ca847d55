/** Creates an AWS SDK client for a test edge. */
import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { type TestEdge, testKeys } from "./start-edge.ts";

/** Signs with the writer's key by default, and sends each request once. */
export function awsClientOf(
  edge: TestEdge,
  key: { readonly id: string; readonly secret: string } = testKeys.writer,
  more: S3ClientConfig = {},
): S3Client {
  return new S3Client({
    endpoint: edge.url,
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
    ...more,
  });
}
