/** Whether an upload arrived as it was sent, by its ETag. */
import type { UploadBody } from "./bodies.ts";

/**
 * `same` if the ETag is the body's MD5, `other` if it is another one, `unknown` if it cannot be one: stores that encrypt
 * with a key service, or give ETags of their own, say nothing of the content.
 */
export function compareEtag(
  headers: ReadonlyMap<string, string>,
  { md5Hex }: Pick<UploadBody, "md5Hex">,
): "same" | "other" | "unknown" {
  const etag = (headers.get("etag") ?? "").replace(/^(?:W\/)?"?|"$/g, "").toLowerCase();
  if (etag === md5Hex) return "same";
  const encryption = headers.get("x-amz-server-side-encryption") ?? "";
  const isEncrypted =
    encryption.startsWith("aws:kms") || headers.has("x-amz-server-side-encryption-customer-algorithm");
  return /^[0-9a-f]{32}$/.test(etag) && !isEncrypted ? "other" : "unknown";
}
