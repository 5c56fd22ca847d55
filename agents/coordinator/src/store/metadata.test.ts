import { formatOrder, type UploadHeader } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { modifiedMsOf, packAttributes, unpackAttributes, withTags } from "./metadata.ts";

test.each(["__proto__", "constructor", "toString", "colour"])("user metadata named %s is kept", (name) => {
  const userMetadata: Record<string, string> = JSON.parse(`{"${name}":"green"}`);
  const attributes = {
    contentType: "text/plain",
    contentHeaders: { expires: "0" },
    userMetadata,
    tags: [],
  };
  // Records store metadata as JSON.
  const stored = JSON.parse(JSON.stringify(packAttributes(attributes, null)));
  const upload = { contentType: "text/plain", userMetadata: stored } as UploadHeader;
  const read = unpackAttributes(upload, null);
  expect(Object.entries(read.userMetadata)).toEqual([[name, "green"]]);
  expect(read.contentHeaders).toEqual({ expires: "0" });
});

const tagsOf = (...keys: string[]) => keys.map((key) => ({ key, value: `value of ${key} ü` }));

test("replacing tags repeatedly keeps the time of the content and all other metadata", () => {
  const attributes = {
    contentType: "text/plain",
    contentHeaders: { expires: "0" },
    userMetadata: { tags: "mine" },
    tags: tagsOf("a=b", "c"),
  };
  const checksum = { algorithm: "CRC32", type: "FULL_OBJECT", value: "AAAAAA==" } as const;
  let upload = {
    contentType: "text/plain",
    order: formatOrder(5000, 0, 0),
    userMetadata: packAttributes(attributes, checksum),
  } as UploadHeader;
  for (const [at, tags] of [tagsOf("d"), [], tagsOf("e", "f")].entries()) {
    const order = formatOrder(6000 + at, 0, 0);
    upload = { ...upload, order, userMetadata: withTags(upload, tags) };
    expect(unpackAttributes(upload, null)).toEqual({ ...attributes, tags });
    expect(modifiedMsOf(upload)).toBe(5000);
  }
});
