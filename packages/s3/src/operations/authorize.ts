/** Decides whether a key may access the bucket of a request or the source of a copy. */
import { S3Error } from "../errors.ts";
import { mayUse } from "../signature/access-key.ts";
import type { ObjectStore, StoreContext } from "../store.ts";

export interface Wish {
  readonly verb: "read" | "write";
  readonly bucket: string;
}

/** Rejects with AccessDenied, or with NoSuchBucket if the bucket is missing and the key could have seen it. */
export async function authorize(
  { store, context }: { readonly store: ObjectStore; readonly context: StoreContext },
  wish: Wish,
): Promise<void> {
  const { accessKey } = context.principal;
  if (!mayUse(accessKey, wish.verb, wish.bucket)) throw new S3Error("AccessDenied");
  const owner = await store.ownerOfBucket(context, { bucket: wish.bucket });
  if (owner !== accessKey.owner) throw new S3Error("AccessDenied");
}

/** A client that names the expected owner of a bucket wants the request to fail if another owner has the bucket. */
export function checkExpectedOwner(
  { context }: { readonly context: StoreContext },
  expected: string | undefined,
): void {
  if (expected === undefined || expected === context.principal.accessKey.owner) return;
  throw new S3Error("AccessDenied", "The bucket does not belong to the owner that the request expects.");
}
