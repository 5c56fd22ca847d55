/**
 * Signatures of Azure Storage with Shared Key (version 2015-02-21 and later). They cover the method, eleven standard
 * headers by position, the x-ms- headers by name, and the path with its query.
 * https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
 */
import { createHmac } from "node:crypto";

export interface SharedKeyRequest {
  readonly method: string;
  readonly account: string;
  /** Path as sent: percent-encoded, and beginning with the account if the store is addressed that way. */
  readonly path: string;
  /** Decoded query. */
  readonly query: Readonly<Record<string, string>>;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

const STANDARD_HEADERS = [
  "content-encoding",
  "content-language",
  "content-length",
  "content-md5",
  "content-type",
  "date",
  "if-modified-since",
  "if-match",
  "if-none-match",
  "if-unmodified-since",
  "range",
] as const;

/** Returns the value of the Authorization header. `accountKey` is already decoded from Base64. */
export function signSharedKey(request: SharedKeyRequest, accountKey: Buffer): string {
  const signature = createHmac("sha256", accountKey).update(stringToSign(request), "utf8").digest("base64");
  return `SharedKey ${request.account}:${signature}`;
}

function stringToSign({ method, account, path, query, headers }: SharedKeyRequest): string {
  const standard = STANDARD_HEADERS.map((name) => {
    const value = headers[name] ?? "";
    return name === "content-length" && value === "0" ? "" : value;
  });
  const own = Object.keys(headers)
    .filter((name) => name.startsWith("x-ms-"))
    .sort()
    .map((name) => `${name}:${headers[name]}\n`);
  const parameters = Object.entries(query)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `\n${name}:${value}`);
  return `${[method, ...standard].join("\n")}\n${own.join("")}/${account}${path}${parameters.join("")}`;
}
