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
/** Every PUT reads these rules, but only headers of answers depend on them. */
const LIFECYCLE_KEPT_MS = 30_000;

export interface S3ServerOptions {
  readonly store: ObjectStore;
  readonly findAccessKey: AccessKeyLookup;
  /** Space reported to Veeam; if absent, buckets have no objects for Veeam. */
  readonly findSpace?: FindSpace;
  /** The only region of this endpoint, such as us-east-1; signatures for others are refused. */
  readonly region: string;
  /** Base domains for virtual-hosted addressing: with "s3.example.org", photos.s3.example.org is the bucket photos. */
  readonly baseDomains?: readonly string[];
  /** Host names of this endpoint that are never split into a bucket and a domain, even if a bucket would match. */
  readonly hostNames?: readonly string[];
  readonly limits?: Partial<S3Limits>;
  /** The wall clock, in milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Must be unique, and consist of letters, digits and hyphens. */
  readonly newRequestId: () => string;
  /** If absent, every request is carried out at once. */
  readonly admit?: Admit;
  /** Called for every request once it is answered or lost; for metrics and the access log. */
  readonly observe?: (request: ObservedRequest) => void;
}

/** An authorized request before any work is done for it. */
export interface AdmissionRequest {
  readonly requestId: string;
  readonly operation: OperationName;
  readonly accessKeyId: string;
  /** Empty if the operation has no bucket. */
  readonly bucket: string;
  readonly key: string;
  /** As announced, without chunk framing; 0 if the client announced none. */
  readonly bodyBytes: number;
}

/**
 * Resolves when the request may be carried out, and rejects, for example with SlowDown, when it may not. At that point
 * the body has not been read, and a client that waits for 100 Continue has not been answered. The resolved function is
 * called once, when the reply to the request is known.
 */
export type Admit = (request: AdmissionRequest) => Promise<() => void>;

export interface ObservedRequest {
  readonly requestId: string;
  readonly method: string;
  /** Null if the request was refused before its operation was known. */
  readonly operation: OperationName | null;
  readonly bucket: string | null;
  readonly accessKeyId: string | null;
  /** The status sent; if an answer with status 200 failed later, the status of the error. */
  readonly status: number;
  /** The first error; its cause has details that are not sent to the client. */
  readonly error: S3Error | null;
  readonly path: "stash" | "direct" | null;
  /** Durations of the store's steps in milliseconds, by name. */
  readonly timings: ReadonlyMap<string, number>;
  readonly durationMs: number;
  /** Part of the duration spent on checking the signature, and on hashing the body. */
  readonly authenticationMs: number;
  readonly hashMs: number;
  /** Bytes of content as announced, without headers and chunk framing. */
  readonly receivedBytes: number;
  readonly sentBytes: number;
  /** True if the client disconnected before it had the whole answer. */
  readonly isCut: boolean;
}

export interface EdgeConfig {
  readonly store: ObjectStore;
  readonly findAccessKey: AccessKeyLookup;
  readonly region: string;
  /** In lower case, longest first. */
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
  /** Number of requests that are authenticated but not answered yet. */
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
