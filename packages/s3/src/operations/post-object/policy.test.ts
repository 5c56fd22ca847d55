import fc from "fast-check";
import { expect, test } from "vitest";
import { S3Error } from "../../errors.ts";
import { checkPolicy, parsePolicy } from "./policy.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const LATER = "2126-01-31T12:00:00Z";

/** Returns the code of the refusal; null if the form is allowed. */
function judge(text: string, fields: Readonly<Record<string, string>>): string | null {
  try {
    checkPolicy(parsePolicy(text), new Map(Object.entries(fields)), 0);
    return null;
  } catch (error) {
    if (error instanceof S3Error) return error.code;
    throw error;
  }
}

test("any text is either refused or allows only the fields that it names", () => {
  const values = fc.oneof(fc.string(), fc.integer(), fc.constant(null));
  const name = fc.constantFrom("$key", "$bucket", "key", "eq", "starts-with", "content-length-range", "");
  const condition = fc.oneof(
    fc.array(fc.oneof(name, values), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("key", "bucket"), values),
    values,
  );
  const document = fc.record({
    expiration: fc.oneof(fc.constant(LATER), values),
    conditions: fc.array(condition),
  });
  const policies = fc.oneof(
    document.map((policy) => base64(JSON.stringify(policy))),
    fc.json().map(base64),
    fc.string(),
  );
  const property = fc.property(policies, fc.string({ minLength: 1 }), (policy, field) => {
    const code = judge(policy, { [`other-${field}`]: "a" });
    expect(["AccessDenied", "InvalidPolicyDocument"]).toContain(code);
  });
  fc.assert(property, { numRuns: 1000 });
});

test("a policy that is nested deeply is malformed", () => {
  const deep = "[".repeat(10_000) + "]".repeat(10_000);
  expect(judge(base64(`{"expiration":"${LATER}","conditions":[${deep}]}`), {})).toBe("InvalidPolicyDocument");
  expect(judge(base64(deep), {})).toBe("InvalidPolicyDocument");
});

test.each([
  ["2126-01-31T12:00:00Z", null],
  ["2126-01-31T12:00:00.000Z", null],
  ["1970-01-01T00:00:00.000Z", "AccessDenied"],
  ["1970-01-01T00:00:00.001Z", null],
  ["2126-01-31T12:00:00", "InvalidPolicyDocument"],
  ["2126-01-31T12:00:00+01:00", "InvalidPolicyDocument"],
])(
  "a policy that expires at %s is checked at 1970-01-01T00:00:00Z with the result %s",
  (expiration, code) => {
    expect(judge(base64(JSON.stringify({ expiration, conditions: [] })), {})).toBe(code);
  },
);

test("the intersection of several size ranges bounds the file", () => {
  const range = (min: unknown, max: unknown) => ["content-length-range", min, max];
  const conditions = [range(0, 100), range("5", "50"), range(1, 200)];
  const policy = parsePolicy(base64(JSON.stringify({ expiration: LATER, conditions })));
  expect(policy.file).toEqual({ bytesMin: 5, bytesMax: 50 });
});
