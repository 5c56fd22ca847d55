/** Describes buckets and their lifecycle rules in words. */
import {
  type BucketEncryption,
  type BucketTag,
  defaultAbortDays,
  type LifecyclePreview,
  type LifecycleRule,
  type ObjectCount,
  type RulePreview,
} from "@stashlight/contracts/bucket";
import { formatBytes, formatCount } from "@stashlight/ui";

const counted = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
const formatDay = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

/** "12,400", or "more than 1,000" if counting stopped early. */
export function describeCount(objects: ObjectCount | null): string {
  if (objects === null) return "not counted";
  return `${objects.isWhole ? "" : "more than "}${formatCount(objects.count)}`;
}

export function describeBytes(objects: ObjectCount | null): string | null {
  if (objects === null) return null;
  return `${objects.isWhole ? "" : "more than "}${formatBytes(objects.bytes)}`;
}

const describeTag = ({ key, value }: BucketTag): string => (value === "" ? key : `${key}=${value}`);

/** Shown for rules and tags that a coordinator cannot read. */
export const unreadableWord = "unreadable";

export function describeTags(tags: readonly BucketTag[], tagCount: number): string {
  const shown = tags.map(describeTag).join(", ");
  return tagCount > tags.length ? `${shown}, ${tagCount - tags.length} more` : shown;
}

export function describeEncryption({ isDefault, key }: BucketEncryption): string {
  if (key.type === "destroyed") return "key destroyed";
  if (isDefault) return "on";
  return key.type === "none" ? "off" : "off by default";
}

/** Describes the objects that a rule applies to. */
export function describeFilter({ filter }: LifecycleRule): string {
  const { prefix, tags, sizeBytesAbove, sizeBytesBelow } = filter;
  const parts = [
    ...(prefix === null || prefix === "" ? [] : [`keys that begin with “${prefix}”`]),
    ...tags.map((tag) => `tag ${describeTag(tag)}`),
    ...(sizeBytesAbove === null ? [] : [`larger than ${formatCount(sizeBytesAbove)} bytes`]),
    ...(sizeBytesBelow === null ? [] : [`smaller than ${formatCount(sizeBytesBelow)} bytes`]),
  ];
  return parts.length === 0 ? "all objects" : parts.join(", ");
}

export function describeActions({ expiration, abortAfterDays }: LifecycleRule): string {
  const parts: string[] = [];
  if (expiration?.kind === "days") parts.push(`deletes objects after ${counted(expiration.days, "day")}`);
  if (expiration?.kind === "date") parts.push(`deletes objects from ${formatDay(expiration.dateMs)} on`);
  if (expiration?.kind === "delete markers") parts.push("removes delete markers (there are none)");
  if (abortAfterDays !== null) parts.push(`aborts uploads after ${counted(abortAfterDays, "day")}`);
  const text = parts.join("; ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const defaultAbortWords = `Aborts multipart uploads after ${defaultAbortDays} days that no rule above covers`;

/** "It would delete 12,400 objects now, 3.10 GB, oldest 2026-01-02." */
export function describePreview(
  { isEnabled, objects }: RulePreview,
  { seenCount, isWhole }: Pick<LifecyclePreview, "seenCount" | "isWhole">,
): string {
  if (!isEnabled) return "The rule is off, so it deletes nothing.";
  const rest = isWhole
    ? ""
    : ` Only the first ${counted(seenCount, "object")} were counted; the bucket has more.`;
  const found = describeDue(objects, "object") ?? "no object now";
  return `It would delete ${found}.${rest}`;
}

/** "It would abort 3 multipart uploads now, 1.20 GB, oldest 2026-01-02." */
export function describeAborts(
  { uploads }: Pick<RulePreview, "uploads">,
  { areAllUploadsSeen }: Pick<LifecyclePreview, "areAllUploadsSeen">,
): string {
  const rest = areAllUploadsSeen ? "" : " Not all uploads could be counted in time.";
  const found = describeDue(uploads, "multipart upload") ?? "no multipart upload now";
  return `It would abort ${found}.${rest}`;
}

function describeDue({ count, bytes, oldestMs }: RulePreview["objects"], noun: string): string | null {
  if (count === 0 || oldestMs === null) return null;
  return `${counted(count, noun)} now, ${formatBytes(bytes)}, oldest ${formatDay(oldestMs)}`;
}
