/**
 * The policy of a form: its expiry, and what it may contain. A condition must name every field, so that a form cannot
 * request anything its signer did not intend.
 */
import { S3Error } from "../../errors.ts";

export interface PostPolicy {
  readonly expiresMs: number;
  readonly conditions: readonly Condition[];
  /** The intersection of its ranges for the size of the file. */
  readonly file: { readonly bytesMin: number; readonly bytesMax: number };
}

interface Condition {
  readonly operator: "eq" | "starts-with";
  /** In lower case. */
  readonly field: string;
  readonly value: string;
}

/** Fields that need no condition; AWS also exempts those that begin with the prefix. */
const FREE_FIELDS: readonly string[] = ["policy", "x-amz-signature", "awsaccesskeyid", "signature"];
const FREE_PREFIX = "x-ignore-";

export function parsePolicy(base64: string): PostPolicy {
  const { expiration, conditions } = parseDocument(base64);
  const expiresMs = parseExpiration(expiration);
  if (!Array.isArray(conditions)) throw invalid("it has no list of conditions");
  const checks: Condition[] = [];
  let file = { bytesMin: 0, bytesMax: Number.POSITIVE_INFINITY };
  for (const [index, condition] of (conditions as readonly unknown[]).entries()) {
    const range = parseSizeRange(condition);
    if (range === null) checks.push(parseCondition(condition, index + 1));
    else {
      const bytesMin = Math.max(file.bytesMin, range.bytesMin);
      file = { bytesMin, bytesMax: Math.min(file.bytesMax, range.bytesMax) };
    }
  }
  return { expiresMs, conditions: checks, file };
}

/** `fields` are those of the form with placeholders filled in, and the bucket to which it was sent. */
export function checkPolicy(
  { expiresMs, conditions }: PostPolicy,
  fields: ReadonlyMap<string, string>,
  nowMs: number,
): void {
  if (nowMs >= expiresMs) throw denied("Policy expired.");
  const failed = conditions.find((condition) => !holds(condition, fields.get(condition.field)));
  if (failed !== undefined) {
    const { operator, field, value } = failed;
    throw denied(`Policy Condition failed: ${JSON.stringify([operator, `$${field}`, value])}`);
  }
  const named = new Set(conditions.map(({ field }) => field));
  const extra = [...fields.keys()].filter(
    (name) => !named.has(name) && !FREE_FIELDS.includes(name) && !name.startsWith(FREE_PREFIX),
  );
  if (extra.length > 0) throw denied(`Extra input fields: ${extra.join(", ")}`);
}

/** A condition on a missing field fails, even if any value would do. */
function holds({ operator, field, value }: Condition, given: string | undefined): boolean {
  if (given === undefined) return false;
  if (operator === "eq") return given === value;
  // Each member of a list of content types must match.
  const all = field === "content-type" ? given.split(",").map((type) => type.trim()) : [given];
  return all.every((one) => one.startsWith(value));
}

function parseDocument(base64: string): Record<string, unknown> {
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(base64)) throw invalid("it is not base64");
  const text = Buffer.from(base64, "base64").toString("utf8");
  // Handles two escapes that AWS allows and JSON does not have.
  const json = text.replace(/\\(.)/gs, (sequence, character: string) => {
    if (character === "$") return "$";
    return character === "v" ? "\\u000b" : sequence;
  });
  try {
    const document: unknown = JSON.parse(json);
    if (typeof document === "object" && document !== null) return document as Record<string, unknown>;
  } catch (error) {
    throw invalid("it is not JSON", error);
  }
  throw invalid("it is not a JSON object");
}

function parseExpiration(value: unknown): number {
  if (value === undefined) throw invalid("it has no expiration");
  const isTime = typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(value);
  const timeMs = isTime ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(timeMs)) throw invalid("its expiration is not of the form 2026-01-31T23:59:59Z");
  return timeMs;
}

function parseSizeRange(condition: unknown): { bytesMin: number; bytesMax: number } | null {
  if (!Array.isArray(condition) || lowerCase(condition[0]) !== "content-length-range") return null;
  const [bytesMin, bytesMax] = condition.slice(1).map(parseSize);
  if (condition.length === 3 && bytesMin !== undefined && bytesMax !== undefined && bytesMin <= bytesMax) {
    return { bytesMin, bytesMax };
  }
  throw invalid("content-length-range needs the smallest and the largest number of bytes");
}

/** Signers also send numbers as strings. */
function parseSize(value: unknown): number {
  if ((typeof value === "number" || typeof value === "string") && /^\d{1,15}$/.test(String(value))) {
    return Number(value);
  }
  throw invalid("content-length-range needs numbers of bytes");
}

function parseCondition(condition: unknown, number: number): Condition {
  if (Array.isArray(condition)) {
    const [name, field, value] = condition as readonly unknown[];
    const operator = lowerCase(name);
    const isKnown = operator === "eq" || operator === "starts-with";
    const isField = typeof field === "string" && /^\$./s.test(field);
    if (condition.length === 3 && isKnown && isField && typeof value === "string") {
      return { operator, field: field.slice(1).toLowerCase(), value };
    }
  } else if (typeof condition === "object" && condition !== null) {
    const [property, ...others] = Object.entries(condition);
    if (property !== undefined && others.length === 0 && typeof property[1] === "string") {
      return { operator: "eq", field: property[0].toLowerCase(), value: property[1] };
    }
  }
  throw invalid(`the condition ${number} is malformed`);
}

function lowerCase(value: unknown): string | null {
  return typeof value === "string" ? value.toLowerCase() : null;
}

function invalid(what: string, cause?: unknown): S3Error {
  const message = `The policy of the form is malformed: ${what}.`;
  return new S3Error("InvalidPolicyDocument", message, cause === undefined ? {} : { cause });
}

function denied(why: string): S3Error {
  return new S3Error("AccessDenied", `Invalid according to Policy: ${why}`);
}
