/** One page of a list as a client asks for it, with or without common prefixes. */
import { percentEncode, signHeaders, timestampOf } from "@stashlight/s3/client";
import type { Target } from "./target.ts";

export const PAGE_KEYS = 1000;

export interface PageOfList {
  readonly bucket: string;
  readonly prefix: string;
  readonly startAfter: string;
  /** Empty for all keys. */
  readonly delimiter: string;
}

/** Fails if the page is not full. */
export async function readListPage(target: Target, page: PageOfList): Promise<void> {
  const { bucket, prefix, startAfter, delimiter } = page;
  const query = [
    ["delimiter", delimiter],
    ["list-type", "2"],
    ["max-keys", String(PAGE_KEYS)],
    ["prefix", prefix],
    ["start-after", startAfter],
  ]
    .map(([name = "", value = ""]) => `${name}=${percentEncode(value)}`)
    .join("&");
  const url = `/${bucket}?${query}`;
  const timestamp = timestampOf(Date.now());
  const { headers } = signHeaders({
    method: "GET",
    url,
    headers: {
      host: new URL(target.endpoint).host,
      "x-amz-content-sha256": "UNSIGNED-PAYLOAD",
      "x-amz-date": timestamp,
    },
    key: target.accessKey,
    region: target.region,
    timestamp,
  });
  const { host: _, ...sent } = headers;
  const response = await fetch(`${target.endpoint}${url}`, { headers: sent });
  const text = await response.text();
  const count = text.match(/<(Contents|CommonPrefixes)>/g)?.length ?? 0;
  if (response.status === 200 && count === PAGE_KEYS) return;
  throw new Error(
    `A list answered ${response.status} with ${count} of ${PAGE_KEYS} keys: ${text.slice(0, 300)}`,
  );
}
