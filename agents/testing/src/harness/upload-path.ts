import { PutObjectCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { createClient } from "./client.ts";
import type { TestVault } from "./vault.ts";

/** Uploads these bytes and returns their path, which only a header of the answer reveals. */
export async function uploadPath(
  vault: TestVault,
  { bucket, key, body }: { readonly bucket: string; readonly key: string; readonly body: Uint8Array },
  accessKey = vault.key,
): Promise<string | null> {
  const credentials = { accessKeyId: accessKey.id, secretAccessKey: accessKey.secret };
  const signer = createClient(vault, { requestChecksumCalculation: "WHEN_REQUIRED", credentials });
  const url = await getSignedUrl(signer, new PutObjectCommand({ Bucket: bucket, Key: key }));
  signer.destroy();
  const answer = await fetch(url, { method: "PUT", body: Buffer.from(body) });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`The upload was answered ${answer.status}: ${text}`);
  return answer.headers.get("x-stashlight-path");
}
