/** Headers with the time at which an object expires, or an upload is aborted, by the lifecycle rules of its bucket. */
import { setTimeout as delay } from "node:timers/promises";
import { findAbort, findExpiration, type LifecycleRule, type RuledObject } from "../lifecycle/rules.ts";
import type { ObjectInfo } from "../store.ts";
import { type BucketCall, httpTime } from "./call.ts";

/** An answer must not wait long for rules that do not affect whether it succeeds. */
const WAIT_MS_MAX = 250;

type LifecycleCall = Pick<BucketCall, "lifecycle" | "context" | "bucket">;

/** Looks up the bucket's rules while the request is carried out; returns none if they are not available in time. */
export function lookUpRules({
  lifecycle,
  context,
  bucket,
}: LifecycleCall): readonly LifecycleRule[] | Promise<readonly LifecycleRule[]> {
  const known = lifecycle.peek(bucket);
  if (known !== null) return known;
  const found = lifecycle.find(bucket, context.requestId).catch(() => []);
  return Promise.race([found, delay(WAIT_MS_MAX, [], { ref: false })]);
}

export function expirationHeaders(
  rules: readonly LifecycleRule[],
  object: RuledObject,
): Record<string, string> {
  const due = findExpiration(rules, object);
  if (due === null) return {};
  const id = encodeURIComponent(due.ruleId);
  return { "x-amz-expiration": `expiry-date="${httpTime(due.dueMs)}", rule-id="${id}"` };
}

export function ruledObject(key: string, { sizeBytes, modifiedMs, attributes }: ObjectInfo): RuledObject {
  return { key, sizeBytes, modifiedMs, tags: attributes.tags };
}

export function abortHeaders(
  rules: readonly LifecycleRule[],
  upload: { readonly key: string; readonly initiatedMs: number },
): Record<string, string> {
  const { ruleId, dueMs } = findAbort(rules, upload);
  return { "x-amz-abort-date": httpTime(dueMs), "x-amz-abort-rule-id": encodeURIComponent(ruleId) };
}
