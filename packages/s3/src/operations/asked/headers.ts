/**
 * Defines how to treat each x-amz- header that AWS documents for the operations here. A header is refused when it asks
 * for a missing feature, since silence would look like consent, and ignored when it asks for nothing.
 */
import { isChecksumOfBody } from "../../checksum/algorithms.ts";
import { S3Error, type S3ErrorCode } from "../../errors.ts";
import {
  NO_ACCESS_LISTS,
  NO_DIRECTORY_BUCKETS,
  NO_KEY_SERVICE,
  NO_LOCKS,
  NO_WEBSITES,
} from "../../refusals.ts";
import type { RequestHeaders } from "../../request/headers.ts";
import type { Query } from "../../request/query.ts";

export type HeaderRule =
  /** An operation or the signature check reads the header. */
  | { readonly kind: "honoured" }
  | { readonly kind: "ignored"; readonly because: string }
  | {
      readonly kind: "refused";
      readonly because: string;
      readonly code: S3ErrorCode;
      /** True if the value requests the current state. */
      readonly isSo: (value: string, owner: string) => boolean;
    };

const honoured: HeaderRule = { kind: "honoured" };
const ignored = (because: string): HeaderRule => ({ kind: "ignored", because });
const never = () => false;

function refused(
  because: string,
  isSo: (value: string, owner: string) => boolean = never,
  code: S3ErrorCode = "NotImplemented",
): HeaderRule {
  return { kind: "refused", because, code, isSo };
}

const unless =
  (...values: readonly string[]) =>
  (value: string) =>
    values.includes(value);

/** Accepts only access lists that grant what an owner has anyway. */
const acl = refused(NO_ACCESS_LISTS, unless("private", "bucket-owner-full-control", "bucket-owner-read"));
const grant = refused(NO_ACCESS_LISTS, unless(""));
const lock = refused(NO_LOCKS);
const lockOff = refused(NO_LOCKS, unless("OFF"));
const ofDirectoryBuckets = refused(NO_DIRECTORY_BUCKETS);

export const HEADER_RULES: ReadonlyMap<string, HeaderRule> = new Map<string, HeaderRule>([
  ["x-amz-acl", acl],
  ["x-amz-api-version", ignored("There is one version of the protocol.")],
  ["x-amz-bucket-namespace", refused("There is one namespace of buckets.", unless("global"))],
  ["x-amz-bucket-object-lock-enabled", refused(NO_LOCKS, (value) => value.toLowerCase() === "false")],
  ["x-amz-bucket-object-lock-token", lock],
  ["x-amz-bypass-governance-retention", ignored("Nothing is retained, so there is nothing to bypass.")],
  ["x-amz-checksum-algorithm", honoured],
  ["x-amz-checksum-crc32", honoured],
  ["x-amz-checksum-crc32c", honoured],
  ["x-amz-checksum-crc64nvme", honoured],
  ["x-amz-checksum-md5", honoured],
  ["x-amz-checksum-mode", honoured],
  ["x-amz-checksum-sha1", honoured],
  ["x-amz-checksum-sha256", honoured],
  ["x-amz-checksum-sha512", honoured],
  ["x-amz-checksum-type", honoured],
  ["x-amz-checksum-xxhash128", honoured],
  ["x-amz-checksum-xxhash3", honoured],
  ["x-amz-checksum-xxhash64", honoured],
  ["x-amz-confirm-remove-self-bucket-access", ignored("There are no policies that could lock a key out.")],
  ["x-amz-content-sha256", honoured],
  ["x-amz-copy-source", honoured],
  ["x-amz-copy-source-if-match", honoured],
  ["x-amz-copy-source-if-modified-since", honoured],
  ["x-amz-copy-source-if-none-match", honoured],
  ["x-amz-copy-source-if-unmodified-since", honoured],
  ["x-amz-copy-source-range", honoured],
  ["x-amz-copy-source-server-side-encryption-customer-algorithm", honoured],
  ["x-amz-copy-source-server-side-encryption-customer-key", honoured],
  ["x-amz-copy-source-server-side-encryption-customer-key-md5", honoured],
  ["x-amz-create-session-mode", ofDirectoryBuckets],
  ["x-amz-date", honoured],
  ["x-amz-decoded-content-length", honoured],
  ["x-amz-expected-bucket-owner", honoured],
  ["x-amz-grant-full-control", refused(NO_ACCESS_LISTS, isOwnersGrant)],
  ["x-amz-grant-read", grant],
  ["x-amz-grant-read-acp", grant],
  ["x-amz-grant-write", grant],
  ["x-amz-grant-write-acp", grant],
  ["x-amz-if-match-initiated-time", ofDirectoryBuckets],
  ["x-amz-if-match-last-modified-time", ofDirectoryBuckets],
  ["x-amz-if-match-size", ofDirectoryBuckets],
  ["x-amz-max-parts", honoured],
  ["x-amz-metadata-directive", honoured],
  ["x-amz-mfa", ignored("There are no versions that a second factor could protect.")],
  ["x-amz-mp-object-size", honoured],
  ["x-amz-object-annotation-directive", ignored("No object has annotations.")],
  ["x-amz-object-attributes", honoured],
  ["x-amz-object-lock-event-hold", lockOff],
  ["x-amz-object-lock-event-hold-duration-days", lock],
  ["x-amz-object-lock-event-hold-duration-years", lock],
  ["x-amz-object-lock-legal-hold", lockOff],
  ["x-amz-object-lock-mode", lock],
  ["x-amz-object-lock-retain-until-date", lock],
  ["x-amz-object-ownership", refused(NO_ACCESS_LISTS, unless("BucketOwnerEnforced"))],
  [
    "x-amz-optional-object-attributes",
    refused(
      "RestoreStatus is the only optional attribute of a list.",
      unless("RestoreStatus"),
      "InvalidArgument",
    ),
  ],
  ["x-amz-part-number-marker", honoured],
  ["x-amz-request-payer", ignored("The owner pays for every request.")],
  ["x-amz-sdk-checksum-algorithm", honoured],
  ["x-amz-security-token", refused("Temporary credentials are not implemented here.")],
  ["x-amz-server-side-encryption", honoured],
  ["x-amz-server-side-encryption-aws-kms-key-id", refused(NO_KEY_SERVICE)],
  ["x-amz-server-side-encryption-bucket-key-enabled", refused(NO_KEY_SERVICE, unless("false"))],
  ["x-amz-server-side-encryption-context", refused(NO_KEY_SERVICE)],
  ["x-amz-server-side-encryption-customer-algorithm", honoured],
  ["x-amz-server-side-encryption-customer-key", honoured],
  ["x-amz-server-side-encryption-customer-key-md5", honoured],
  ["x-amz-skip-destination-validation", ignored("There are no notifications with destinations.")],
  ["x-amz-source-expected-bucket-owner", honoured],
  [
    "x-amz-storage-class",
    refused("The only storage class here is STANDARD.", unless("STANDARD"), "InvalidStorageClass"),
  ],
  ["x-amz-tagging", honoured],
  ["x-amz-tagging-directive", honoured],
  ["x-amz-te", ignored("It offers to read a checksum after the body, which an answer need not have.")],
  ["x-amz-trailer", honoured],
  [
    "x-amz-transition-default-minimum-object-size",
    refused("There is one storage class, and no transition.", unless("all_storage_classes_128K")),
  ],
  ["x-amz-user-agent", ignored("It describes the client.")],
  ["x-amz-website-redirect-location", refused(NO_WEBSITES, unless(""))],
  ["x-amz-write-offset-bytes", ofDirectoryBuckets],
]);

const PREFIX = "x-amz-";
const USER_METADATA_PREFIX = "x-amz-meta-";

/** Refuses headers and query parameters that ask for a missing feature, in a request that is signed by a header. */
export function checkAskedHeaders(headers: RequestHeaders, query: Query, owner: string): void {
  for (const name of headers.names) {
    if (!isJudged(name)) continue;
    const rule = findRule(name);
    if (rule.kind === "refused") judge(rule, { name, value: headers.joined(name) ?? "", owner });
  }
  for (const { name, value } of query.parameters) {
    const lower = name.toLowerCase();
    if (!lower.startsWith(PREFIX) || isOfPresignedAddress(lower)) continue;
    const rule = isJudged(lower) ? findRule(lower) : honoured;
    if (rule.kind === "refused") judge(rule, { name: lower, value, owner });
    // The parameters of a presigned address are among the headers. Velero's plugin sends an empty set of tags, which
    // asks for nothing.
    const asksForNothing = lower === "x-amz-tagging" && value === "";
    if (rule.kind === "honoured" && !asksForNothing && headers.joined(lower) !== value) throw notRead(name);
  }
}

function isJudged(name: string): boolean {
  return name.startsWith(PREFIX) && !name.startsWith(USER_METADATA_PREFIX);
}

function findRule(name: string): HeaderRule {
  const rule = HEADER_RULES.get(name);
  if (rule !== undefined) return rule;
  throw new S3Error("NotImplemented", `The header ${name} asks for a feature that is not implemented.`);
}

interface AskedHeader {
  readonly name: string;
  readonly value: string;
  readonly owner: string;
}

function judge(rule: Extract<HeaderRule, { kind: "refused" }>, { name, value, owner }: AskedHeader): void {
  if (rule.isSo(value, owner)) return;
  throw new S3Error(rule.code, `${rule.because} The request has the header ${name}.`);
}

function notRead(name: string): S3Error {
  return new S3Error(
    "InvalidArgument",
    `The parameter ${name} is read in a presigned address only; send it as a header.`,
  );
}

const SIGNING_PARAMETERS = ["algorithm", "credential", "date", "expires", "signedheaders", "signature"];

function isOfPresignedAddress(name: string): boolean {
  return SIGNING_PARAMETERS.includes(name.slice(PREFIX.length)) || isChecksumOfBody(name);
}

/** True if all grantees are the owner, who has every right already: `id="ada", id="ada"`. */
function isOwnersGrant(value: string, owner: string): boolean {
  if (value.trim() === "") return true;
  return value.split(",").every((grantee) => /^\s*id="?([^"]*)"?\s*$/.exec(grantee)?.[1] === owner);
}
