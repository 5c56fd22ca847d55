/**
 * Keeps a request for `photos.s3.example.org` from being carried out as if it were for `s3.example.org`: if a client
 * puts a bucket before a host outside the endpoint's domains, the first segment of the path is a key.
 */
import { S3Error } from "../errors.ts";
import { hostName, leadingNames } from "../request/host.ts";
import { isBucketName } from "../request/names.ts";
import { mayUse } from "../signature/access-key.ts";
import type { ObjectStore, StoreContext } from "../store.ts";

export interface HostGuard {
  /**
   * Rejects a request whose host begins with a bucket that the key may read, or with the bucket that the request would
   * create.
   */
  check(context: StoreContext, host: string | undefined, bucket: string | null): Promise<void> | undefined;
}

export interface HostGuardOptions {
  readonly store: Pick<ObjectStore, "ownerOfBucket">;
  /** In lower case, like the host names; hosts below these domains were handled earlier. */
  readonly baseDomains: readonly string[];
  readonly hostNames: readonly string[];
  readonly nowMs: () => number;
}

/** Owners of the buckets that a host may name are cached for this long, so that most requests look nothing up. */
const REMEMBERED_MS = 2000;
/** Bounds the cache, because clients choose the hosts that they send. */
const HOST_COUNT_MAX = 1000;
/** A host can have 127 labels, but bucket names rarely have more than two. */
const LEADING_NAMES_MAX = 8;

interface KnownHost {
  /** Owners of existing buckets whose names begin the host. */
  readonly owners: ReadonlyMap<string, string>;
  readonly untilMs: number;
}

export function createHostGuard({ store, baseDomains, hostNames, nowMs }: HostGuardOptions): HostGuard {
  const ours = new Set([...baseDomains, ...hostNames]);
  const known = new Map<string, KnownHost>();

  const find = async (context: StoreContext, name: string): Promise<KnownHost> => {
    const sofar = known.get(name);
    if (sofar !== undefined && sofar.untilMs > nowMs()) return sofar;
    const owners = new Map<string, string>();
    const buckets = leadingNames(name).filter(isBucketName).slice(0, LEADING_NAMES_MAX);
    for (const bucket of buckets) {
      const owner = await findOwner(store, context, bucket);
      if (owner !== null) owners.set(bucket, owner);
    }
    const found = { owners, untilMs: nowMs() + REMEMBERED_MS };
    known.delete(name);
    known.set(name, found);
    if (known.size > HOST_COUNT_MAX) known.delete(known.keys().next().value as string);
    return found;
  };

  const checkName = async (context: StoreContext, name: string, bucket: string | null): Promise<void> => {
    if (bucket !== null && leadingNames(name).includes(bucket)) throw ambiguous(name, bucket);
    const { owners } = await find(context, name);
    const { accessKey } = context.principal;
    for (const [inFront, owner] of owners) {
      // A bucket outside the key's reach must neither keep it from using the endpoint nor be revealed to it.
      if (owner === accessKey.owner && mayUse(accessKey, "read", inFront)) throw ambiguous(name, inFront);
    }
  };

  return {
    check: (context, host, bucket) => {
      const name = hostName(host);
      if (name === null || !name.includes(".") || ours.has(name)) return undefined;
      if (baseDomains.some((domain) => name.endsWith(`.${domain}`))) return undefined;
      return checkName(context, name, bucket);
    },
  };
}

async function findOwner(
  store: HostGuardOptions["store"],
  context: StoreContext,
  bucket: string,
): Promise<string | null> {
  try {
    return await store.ownerOfBucket(context, { bucket });
  } catch (error) {
    if (error instanceof S3Error && error.code === "NoSuchBucket") return null;
    throw error;
  }
}

function ambiguous(name: string, bucket: string): S3Error {
  const domain = name.slice(bucket.length + 1);
  return new S3Error(
    "InvalidRequest",
    `The host ${name} begins with the name of the bucket ${bucket}, but this endpoint does not know whether that is meant. ` +
      `Add "${domain}" to s3.domains of the coordinators in vault.json to have buckets in front of it, add "${name}" if ` +
      "that is a name of this endpoint, or use path-style addresses with another host.",
  );
}
