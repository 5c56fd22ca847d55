/** Reads what an S3 store's headers report about an object's content. */
import type { StoredContent } from "../../endpoint/driver.ts";
import type { Exchange } from "../../wire/connection.ts";

/**
 * The ETag of a single upload is its MD5, unless the store encrypts with a key service or uses other ETags, which
 * reveal nothing about the content.
 */
export function contentOfS3({ result }: Pick<Exchange, "result">): StoredContent {
  if (result.kind !== "answered") return { sizeBytes: null, md5Hex: null };
  const { headers } = result;
  const etag = (headers.get("etag") ?? "").replace(/^(?:W\/)?"?|"$/g, "").toLowerCase();
  const encryption = headers.get("x-amz-server-side-encryption") ?? "";
  const isEncrypted =
    encryption.startsWith("aws:kms") || headers.has("x-amz-server-side-encryption-customer-algorithm");
  const length = headers.get("content-length");
  return {
    sizeBytes: length === undefined ? null : Number(length),
    md5Hex: /^[0-9a-f]{32}$/.test(etag) && !isEncrypted ? etag : null,
  };
}
