import { benchmarkBucket } from "@stashlight/contracts/upload";
import { S3Client } from "@stashlight/s3/client";
import type { VaultPrepared } from "./prepare-vault.ts";

/**
 * Creates the bucket of the built-in benchmark as soon as the vault takes requests, because the benchmark's first slot
 * must not wait for the demo load, which waits for the console's build. If this fails, the demo load tries again.
 */
export async function createBenchmarkBucket({ s3 }: Pick<VaultPrepared, "s3">): Promise<void> {
  const client = new S3Client({
    endpoint: s3.endpoint,
    region: s3.region,
    accessKey: { id: s3.accessKeyId, secret: s3.secret },
    connectionCountMax: 1,
  });
  try {
    await client.ensureBucket(benchmarkBucket);
  } catch {
    // Starts anyway: a vault, for example a full one, may refuse writes now.
  } finally {
    client.close();
  }
}
