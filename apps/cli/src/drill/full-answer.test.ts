import { S3ClientError } from "@stashlight/s3/client";
import { expect, test } from "vitest";
import { judgeAnswer } from "./full-answer.ts";

const answered = (status: number, code: string, freeBytes?: string) =>
  new S3ClientError("answered", "", {
    status,
    code,
    headers: freeBytes === undefined ? {} : { "x-stashlight-free-bytes": freeBytes },
  });

test.each([
  ["507 with its code and the free bytes", answered(507, "InsufficientStorage", "12000"), "full"],
  ["507 without the free bytes", answered(507, "InsufficientStorage"), "wrong"],
  ["507 with free bytes that are not a number", answered(507, "InsufficientStorage", "-1"), "wrong"],
  ["507 with another code", answered(507, "InternalError", "12000"), "wrong"],
  ["503 that asks for a retry", answered(503, "SlowDown"), "busy"],
  ["503 for another reason", answered(503, "ServiceUnavailable"), "wrong"],
  ["500", answered(500, "InternalError"), "wrong"],
  ["no connection", new S3ClientError("unreachable", "", { code: "ECONNREFUSED" }), "unreachable"],
  ["no answer in time", new S3ClientError("timeout", "", { code: "Timeout" }), "unreachable"],
  ["a malformed answer", new S3ClientError("malformed", "", { code: "Odd" }), "wrong"],
])("judges %s", (_, error, type) => {
  expect(judgeAnswer(error)).toMatchObject({ type });
});

test("rethrows an error that is not a vault's answer", () => {
  expect(() => judgeAnswer(new TypeError("a mistake of ours"))).toThrow("a mistake of ours");
});
