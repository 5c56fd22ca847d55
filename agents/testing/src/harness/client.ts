/** The AWS SDK as users run it. */
import { S3Client } from "@aws-sdk/client-s3";
import type { TestVault } from "./vault.ts";

export { S3Client } from "@aws-sdk/client-s3";

const BUSY_RETRIES_MAX = 60;
const BUSY_WAIT_MS = 500;

type SdkError = Error & { readonly $metadata?: { readonly httpStatusCode?: number } };

/** The answer to a HEAD has no body with a reason, only the status. */
const isBusy = ({ name, $metadata }: SdkError): boolean =>
  name === "SlowDown" || (name === "Unknown" && $metadata?.httpStatusCode === 503);

const retryToken = (count: number) => ({
  getRetryCount: () => count,
  getRetryDelay: () => (count === 0 ? 0 : BUSY_WAIT_MS),
});

/** Retries when the vault is busy, as it may be on a slow machine, and returns every other answer at once. */
const RETRIES_WHEN_BUSY = {
  retryStrategy: {
    acquireInitialRetryToken: async () => retryToken(0),
    async refreshRetryTokenForRetry(token: { getRetryCount(): number }, { error }: { error?: SdkError }) {
      const count = token.getRetryCount() + 1;
      if (error === undefined || !isBusy(error) || count > BUSY_RETRIES_MAX) throw error;
      return retryToken(count);
    },
    recordSuccess: () => undefined,
  },
};

/** For tests that count or expect refusals: every answer is returned at once. */
export const WITHOUT_RETRIES = { retryStrategy: undefined };

export function createClient({ endpoint, key }: TestVault, config: object = {}): S3Client {
  return new S3Client({
    endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
    ...RETRIES_WHEN_BUSY,
    ...config,
  });
}

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
