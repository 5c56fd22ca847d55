import type { UploadHeader } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { packAttributes, unpackAttributes } from "./metadata.ts";

test.each(["__proto__", "constructor", "toString", "colour"])(
  "keeps user metadata of the name %s",
  (name) => {
    const userMetadata: Record<string, string> = JSON.parse(`{"${name}":"green"}`);
    const attributes = { contentType: "text/plain", contentHeaders: { expires: "0" }, userMetadata };
    // Records keep metadata as JSON.
    const stored = JSON.parse(JSON.stringify(packAttributes(attributes, null)));
    const upload = { contentType: "text/plain", userMetadata: stored } as UploadHeader;
    const read = unpackAttributes(upload);
    expect(Object.entries(read.userMetadata)).toEqual([[name, "green"]]);
    expect(read.contentHeaders).toEqual({ expires: "0" });
  },
);
