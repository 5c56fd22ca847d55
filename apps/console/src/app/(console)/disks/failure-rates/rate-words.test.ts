import { publishedFailures } from "@stashlight/devices/failures";
import { expect, test } from "vitest";
import { shortenSource } from "./rate-words.ts";

test("several reports of one publisher name it once as their source", () => {
  const source = publishedFailures.get("ST16000NM001G")?.source ?? "";
  expect(source).toBe("Backblaze Drive Stats for 2024; Backblaze Drive Stats for Q1 2026");
  expect(shortenSource(source)).toBe("Backblaze Drive Stats for 2024, Q1 2026");
  expect(shortenSource("Drive Stats import, 2026-Q2")).toBe("Drive Stats import, 2026-Q2");
});
