/** Turns the store's ordered uploads into a page of uploads and common prefixes. */
import type { MultipartUpload } from "../../store.ts";
import type { BucketCall } from "../call.ts";
import { compareUtf8, groupOf, LAST } from "../listing.ts";

export interface UploadsWish {
  readonly prefix: string;
  /** Empty for none. */
  readonly delimiter: string;
  readonly keyMarker: string;
  readonly uploadIdMarker: string;
  readonly itemCountMax: number;
}

export type UploadsItem =
  | { readonly kind: "upload"; readonly upload: MultipartUpload }
  | { readonly kind: "prefix"; readonly prefix: string };

export async function listUploadsPage(
  { store, context, bucket }: BucketCall,
  wish: UploadsWish,
): Promise<{ readonly items: readonly UploadsItem[]; readonly isTruncated: boolean }> {
  const { prefix, delimiter, itemCountMax } = wish;
  const items: UploadsItem[] = [];
  let { keyMarker, uploadIdMarker } = wish;
  // After a page that ended with a common prefix, the list continues after all keys of that prefix.
  let group = groupOf(keyMarker, prefix, delimiter) === keyMarker ? keyMarker : null;
  if (group !== null && group !== "") keyMarker = group + LAST;
  for (;;) {
    const request = { bucket, prefix, keyMarker, uploadIdMarker, uploadCountMax: itemCountMax };
    const { uploads, isTruncated } = await store.listMultipartUploads(context, request);
    for (const upload of uploads) {
      const itsGroup = groupOf(upload.key, prefix, delimiter);
      if (itsGroup !== null && itsGroup === group) continue;
      if (items.length === itemCountMax) return { items, isTruncated: true };
      items.push(itsGroup === null ? { kind: "upload", upload } : { kind: "prefix", prefix: itsGroup });
      group = itsGroup;
    }
    const last = uploads.at(-1);
    if (!isTruncated || last === undefined) return { items, isTruncated: false };
    if (group === null && items.length === itemCountMax) return { items, isTruncated: true };
    const isBehindGroup = group !== null && compareUtf8(group + LAST, last.key) > 0;
    keyMarker = isBehindGroup ? group + LAST : last.key;
    uploadIdMarker = isBehindGroup ? "" : last.uploadId;
  }
}
