/**
 * Reads a lifecycle configuration. Unknown elements are refused: ignoring a misspelt filter would expire every object.
 */
import { createHash } from "node:crypto";
import { S3Error } from "../errors.ts";
import { NO_VERSIONS } from "../refusals.ts";
import type { Tag } from "../store.ts";
import { checkTag, readTag } from "../tags/tags.ts";
import { readXml, type XmlReader } from "../xml/request-xml.ts";
import type { Expiration, LifecycleFilter, LifecycleRule } from "./rules.ts";

export const LIFECYCLE_ROOT = "LifecycleConfiguration";
const RULE_COUNT_MAX = 1000;
const ID_LENGTH_MAX = 255;
const PREFIX_BYTES_MAX = 1024;
const DAYS_MAX = 2 ** 31 - 1;
const DAY_MS = 86_400_000;

const RULE_ELEMENTS = ["ID", "Prefix", "Status", "Filter", "Expiration", "AbortIncompleteMultipartUpload"];
const OF_VERSIONS = ["NoncurrentVersionExpiration", "NoncurrentVersionTransition"];

export function parseLifecycleRules(text: string): readonly LifecycleRule[] {
  return readLifecycleRules(readXml(text, LIFECYCLE_ROOT));
}

export function readLifecycleRules(body: XmlReader): readonly LifecycleRule[] {
  checkElements(body, ["Rule"]);
  const rules = body.children("Rule").map(readRule);
  if (rules.length === 0 || rules.length > RULE_COUNT_MAX) {
    throw malformed(`A lifecycle configuration has 1 to ${RULE_COUNT_MAX} rules.`);
  }
  if (new Set(rules.map(({ id }) => id)).size < rules.length) {
    throw new S3Error("InvalidArgument", "Rule ID must be unique. Found same ID for more than one rule");
  }
  return rules;
}

function readRule(rule: XmlReader, index: number): LifecycleRule {
  const refused = rule.names.find((name) => OF_VERSIONS.includes(name));
  if (refused !== undefined) throw new S3Error("NotImplemented", `${NO_VERSIONS} The rule has ${refused}.`);
  if (rule.names.includes("Transition")) {
    throw new S3Error("NotImplemented", "There is one storage class, so no object can change to another.");
  }
  checkElements(rule, RULE_ELEMENTS);
  const status = rule.text("Status")?.trim();
  if (status !== "Enabled" && status !== "Disabled") {
    throw malformed("The Status of a rule must be Enabled or Disabled.");
  }
  const { form, filter } = readFilter(rule);
  const expiration = one(rule, "Expiration", readExpiration);
  const abortAfterDays = one(rule, "AbortIncompleteMultipartUpload", readAbort);
  if (expiration === null && abortAfterDays === null) {
    throw new S3Error("InvalidRequest", "At least one action needs to be specified in a rule");
  }
  const isNarrowed =
    filter.sizeBytesAbove !== null || filter.sizeBytesBelow !== null || filter.tags.length > 0;
  if (abortAfterDays !== null && isNarrowed) {
    throw new S3Error(
      "InvalidRequest",
      "AbortIncompleteMultipartUpload cannot be specified with tags or sizes: an upload has neither yet.",
    );
  }
  const actions = { isEnabled: status === "Enabled", form, filter, expiration, abortAfterDays };
  return { id: readId(rule) ?? idFor([index, actions]), ...actions };
}

/** Generates an id for a rule without one, as AWS does; the same document gets the same ids. */
function idFor(rule: unknown): string {
  return createHash("sha256").update(JSON.stringify(rule)).digest("hex").slice(0, 32);
}

function readId(rule: XmlReader): string | null {
  const id = rule.text("ID");
  if (id === undefined || id === "") return null;
  if (id.length > ID_LENGTH_MAX) {
    throw new S3Error("InvalidArgument", `ID length should not exceed allowed limit of ${ID_LENGTH_MAX}`);
  }
  return id;
}

function readFilter(rule: XmlReader): Pick<LifecycleRule, "form" | "filter"> {
  const ofRule = rule.text("Prefix");
  const filters = rule.children("Filter");
  const [filter] = filters;
  if (filters.length > 1 || (filter === undefined) === (ofRule === undefined)) {
    throw malformed(
      "A rule must have one Filter, or a Prefix in its place; an empty one applies to all objects.",
    );
  }
  if (filter === undefined) return { form: "prefix", filter: filterOf({ prefix: readPrefix(ofRule) }) };
  checkElements(filter, ["And", "Prefix", "Tag", "ObjectSizeGreaterThan", "ObjectSizeLessThan"]);
  const and = one(filter, "And", (each) => each);
  if (and === null) {
    if (filter.names.length > 1 || filter.children("Tag").length > 1) {
      throw malformed("A Filter with several conditions needs an And around them.");
    }
    return { form: "filter", filter: readConditions(filter) };
  }
  if (filter.names.length > 1 || and.names.length === 0) {
    throw malformed("An And must hold all conditions of its Filter.");
  }
  checkElements(and, ["Prefix", "Tag", "ObjectSizeGreaterThan", "ObjectSizeLessThan"]);
  return { form: "and", filter: readConditions(and) };
}

function readConditions(holder: XmlReader): LifecycleFilter {
  const prefix = holder.text("Prefix");
  const tags = holder.children("Tag").map(readTag);
  tags.forEach(checkTag);
  if (new Set(tags.map(({ key }) => key)).size < tags.length) {
    throw new S3Error("InvalidRequest", "Duplicate Tag Keys are not allowed.");
  }
  const sizeBytesAbove = readInteger(holder, "ObjectSizeGreaterThan", 0, Number.MAX_SAFE_INTEGER);
  const sizeBytesBelow = readInteger(holder, "ObjectSizeLessThan", 1, Number.MAX_SAFE_INTEGER);
  if (sizeBytesAbove !== null && sizeBytesBelow !== null && sizeBytesBelow <= sizeBytesAbove) {
    throw new S3Error("InvalidRequest", "ObjectSizeLessThan must be larger than ObjectSizeGreaterThan.");
  }
  const sizes = { sizeBytesAbove, sizeBytesBelow };
  return filterOf({ ...(prefix !== undefined && { prefix: readPrefix(prefix) }), tags, ...sizes });
}

function filterOf(given: Partial<LifecycleFilter> & { readonly tags?: readonly Tag[] }): LifecycleFilter {
  return { prefix: null, tags: [], sizeBytesAbove: null, sizeBytesBelow: null, ...given };
}

function readPrefix(prefix = ""): string {
  if (Buffer.byteLength(prefix) > PREFIX_BYTES_MAX) {
    throw new S3Error("InvalidRequest", `The maximum size of a prefix is ${PREFIX_BYTES_MAX}.`);
  }
  return prefix;
}

function readExpiration(expiration: XmlReader): Expiration {
  checkElements(expiration, ["Days", "Date", "ExpiredObjectDeleteMarker"]);
  const marker = expiration.text("ExpiredObjectDeleteMarker")?.trim().toLowerCase();
  // ExpiredObjectDeleteMarker has no effect if it is false and Days or Date is given.
  const elements = expiration.names.filter(
    (name) => name !== "ExpiredObjectDeleteMarker" || marker !== "false",
  );
  if (expiration.names.length > 1 && elements.length !== 1) {
    throw malformed("An Expiration must have one of Days, Date and ExpiredObjectDeleteMarker.");
  }
  const days = readDays(expiration, "Days", "'Days' for Expiration action must be a positive integer");
  if (days !== null) return { kind: "days", days };
  const date = expiration.text("Date")?.trim();
  if (date !== undefined) return { kind: "date", dateMs: readDate(date) };
  if (marker !== "true" && marker !== "false") {
    throw malformed("An Expiration must have Days, Date, or ExpiredObjectDeleteMarker with true or false.");
  }
  return { kind: "delete markers", isWanted: marker === "true" };
}

function readDate(text: string): number {
  const isDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2}))?$/.test(text);
  const dateMs = isDate ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(dateMs)) throw malformed("Date must be a date in ISO 8601 format.");
  if (dateMs % DAY_MS !== 0) throw new S3Error("InvalidArgument", "'Date' must be at midnight GMT");
  return dateMs;
}

function readAbort(abort: XmlReader): number {
  checkElements(abort, ["DaysAfterInitiation"]);
  const sentence =
    "'DaysAfterInitiation' for AbortIncompleteMultipartUpload action must be a positive integer";
  const days = readDays(abort, "DaysAfterInitiation", sentence);
  if (days === null) throw malformed("AbortIncompleteMultipartUpload needs DaysAfterInitiation.");
  return days;
}

function readDays(holder: XmlReader, name: string, sentence: string): number | null {
  const text = holder.text(name)?.trim();
  if (text === undefined) return null;
  if (!/^[+-]?\d+$/.test(text)) throw malformed(`${name} must be a number.`);
  const days = Number(text);
  if (days < 1 || days > DAYS_MAX) throw new S3Error("InvalidArgument", sentence);
  return days;
}

function readInteger(holder: XmlReader, name: string, min: number, max: number): number | null {
  const text = holder.text(name)?.trim();
  if (text === undefined) return null;
  if (!/^[+-]?\d+$/.test(text)) throw malformed(`${name} must be a number.`);
  const value = Number(text);
  if (value >= min && value <= max) return value;
  throw new S3Error("InvalidRequest", `${name} must be from ${min} to ${max}.`);
}

/** Reads the only child of this name with `read`; null if there is none. */
function one<Value>(holder: XmlReader, name: string, read: (child: XmlReader) => Value): Value | null {
  const [child, ...others] = holder.children(name);
  if (others.length > 0) throw malformed(`The element ${name} is given more than once.`);
  return child === undefined ? null : read(child);
}

function checkElements(holder: XmlReader, known: readonly string[]): void {
  const unknown = holder.names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw malformed(`The element ${unknown} is not known here.`);
}

function malformed(message: string): S3Error {
  return new S3Error("MalformedXML", message);
}
