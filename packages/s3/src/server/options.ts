/** Options of an S3 edge. */
import type { S3Error } from "../errors.ts";
import { parseLifecycleRules } from "../lifecycle/read-rules.ts";
import type { LifecycleRule } from "../lifecycle/rules.ts";
import { defaultLimits, type S3Limits } from "../limits.ts";
import { type CorsRule, parseCorsRules } from "../operations/configuration/cors-rules.ts";
import type { OperationName } from "../operations/registry.ts";
import { createSettingCache, type SettingCache } from "../setting-cache.ts";
import type { AccessKeyLookup } from "../signature/access-key.ts";
import { createSigningKeys, type SigningKeys } from "../signature/signing-key.ts";
import type { ObjectStore } from "../store.ts";
import { type FindSpace, withSystemObjects } from "../veeam/system-objects.ts";
import { createHostGuard, type HostGuard } from "./host-guard.ts";

const CORS_KEPT_MS = 2000;
/** Every put asks for these rules, which only headers of answers depend on. */
const LIFECYCLE_KEPT_MS = 30_000;

export interface S3ServerOptions {
  readonly store: ObjectStore;
  readonly findAccessKey: AccessKeyLookup;
  /** The space that Veeam is shown; without it, buckets have no objects for Veeam. */
  readonly findSpace?: FindSpace;
  /** The one region of this endpoint, such as us-east-1; signatures for another are refused. */
  readonly region: string;
  /** Names under which a bucket may be a label of the host: with "s3.example.org", photos.s3.example.org. */
  readonly baseDomains?: readonly string[];
  /** Names of this endpoint that no bucket name precedes, even if a bucket would match. */
  readonly hostNames?: readonly string[];
  readonly limits?: Partial<S3Limits>;
  /** The wall clock, in milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Unique, of letters, digits and hyphens. */
  readonly newRequestId: () => string;
  /** Without it every request is carried out at once. */
  readonly admit?: Admit;
  /** Hears of every request once it is answered or lost; for metrics and the access log. */
  readonly observe?: (request: ObservedRequest) => void;
}

/** An authorized request before any work is done for it. */
export interface AdmissionRequest {
  readonly requestId: string;
  readonly operation: OperationName;
  readonly accessKeyId: string;
  /** Empty if the operation has no bucket or no key. */
  readonly bucket: string;
  readonly key: string;
  /** As announced, without chunk framing; 0 if nothing was announced. */
  readonly bodyBytes: number;
}

/**
 * Resolves when the request may be carried out, and rejects, for example with SlowDown, when it may not. The body has
 * not been read at that point, and a client that waits for 100 Continue has not been answered. The function that it
 * resolves with is called once, when the reply to the request is known.
 */
export type Admit = (request: AdmissionRequest) => Promise<() => void>;

export interface ObservedRequest {
  readonly requestId: string;
  readonly method: string;
  /** Null when the request was refused before that was known. */
  readonly operation: OperationName | null;
  readonly bucket: string | null;
  readonly accessKeyId: string | null;
  /** As sent; that of the error where an answer of status 200 was sent before it failed. */
  readonly status: number;
  /** The first error; its cause has the details that the client does not get. */
  readonly error: S3Error | null;
  readonly path: "stash" | "direct" | null;
  /** Times of the store's steps in milliseconds, by name. */
  readonly timings: ReadonlyMap<string, number>;
  readonly durationMs: number;
  /** The part of the duration that went into checking the signature, and into hashing the body. */
  readonly authenticationMs: number;
  readonly hashMs: number;
  /** The bytes of the content, as announced: without headers and the framing of chunks. */
  readonly receivedBytes: number;
  readonly sentBytes: number;
  /** The client went away before it had the whole answer. */
  readonly isCut: boolean;
}

export interface EdgeConfig {
  readonly store: ObjectStore;
  readonly findAccessKey: AccessKeyLookup;
  readonly region: string;
  /** In lower case, the longest first. */
  readonly baseDomains: readonly string[];
  /** In lower case. */
  readonly hostNames: readonly string[];
  readonly hosts: HostGuard;
  readonly cors: SettingCache<readonly CorsRule[]>;
  readonly lifecycle: SettingCache<readonly LifecycleRule[]>;
  readonly limits: S3Limits;
  readonly nowMs: () => number;
  readonly newRequestId: () => string;
  readonly admit: Admit;
  readonly observe: (request: ObservedRequest) => void;
  readonly signingKeys: SigningKeys;
  /** Requests that are authenticated and not answered. */
  readonly underway: { count: number };
}

export function toEdgeConfig(options: S3ServerOptions): EdgeConfig {
  const { findAccessKey, findSpace, region, nowMs, newRequestId } = options;
  const store = findSpace ? withSystemObjects({ store: options.store, findSpace, nowMs }) : options.store;
  const baseDomains = (options.baseDomains ?? []).map((domain) => domain.toLowerCase());
  baseDomains.sort((a, b) => b.length - a.length);
  const hostNames = (options.hostNames ?? []).map((name) => name.toLowerCase());
  return {
    store,
    findAccessKey,
    region,
    baseDomains,
    hostNames,
    cors: createSettingCache({
      store,
      nowMs,
      name: "cors",
      parse: parseCorsRules,
      keptMs: CORS_KEPT_MS,
      whenUnset: [],
    }),
    lifecycle: createSettingCache({
      store,
      nowMs,
      name: "lifecycle",
      parse: parseLifecycleRules,
      keptMs: LIFECYCLE_KEPT_MS,
      whenUnset: [],
    }),
    hosts: createHostGuard({ store, baseDomains, hostNames, nowMs }),
    limits: { ...defaultLimits, ...options.limits },
    nowMs,
    newRequestId,
    admit: options.admit ?? (async () => () => undefined),
    observe: options.observe ?? (() => undefined),
    signingKeys: createSigningKeys(),
    underway: { count: 0 },
  };
}
