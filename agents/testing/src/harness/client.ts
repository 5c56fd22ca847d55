/** The AWS SDK as users run it, but without retries, so that tests see every answer. */
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

const BUSY_RETRIES_MAX = 10;
const BUSY_WAIT_MS = 500;

const retryToken = (count: number) => ({
  getRetryCount: () => count,
  getRetryDelay: () => (count === 0 ? 0 : BUSY_WAIT_MS),
});

/**
 * For tests of answers rather than of load, on machines of any speed: retries when the vault is busy, and returns every
 * other answer at once.
 */
export const RETRIES_WHEN_BUSY = {
  retryStrategy: {
    acquireInitialRetryToken: async () => retryToken(0),
    async refreshRetryTokenForRetry(token: { getRetryCount(): number }, { error }: { error?: Error }) {
      const count = token.getRetryCount() + 1;
      if (error?.name !== "SlowDown" || count > BUSY_RETRIES_MAX) throw error;
      return retryToken(count);
    },
    recordSuccess: () => undefined,
  },
};

/** "done", or the name of the error with which the request ended. */
export const outcomeName = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => "done",
    (error: Error) => error.name,
  );

export async function readBody(
  body: { transformToByteArray(): Promise<Uint8Array> } | undefined,
): Promise<Buffer> {
  return Buffer.from((await body?.transformToByteArray()) ?? []);
}
