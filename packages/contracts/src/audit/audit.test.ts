import { expect, test } from "vitest";
import { listRunsInput } from "../schedule/index.ts";
import { exportAuditInput, listAuditInput } from "./audit.ts";

const lastMs = 8.64e15;
const range = { fromMs: 0, toMs: lastMs };

test.each([
  ["listAuditInput", listAuditInput, {}],
  ["exportAuditInput", exportAuditInput, { format: "csv" }],
  ["listRunsInput", listRunsInput, {}],
] as const)("%s accepts instants up to the last one that a Date can hold", (_, input, more) => {
  expect(input.safeParse({ ...more, ...range }).success).toBe(true);
  expect(input.safeParse({ ...more, ...range, toMs: lastMs + 2 }).success).toBe(false);
  expect(input.safeParse({ ...more, ...range, fromMs: lastMs + 2 }).success).toBe(false);
});

test.each(["text", "actorId"])("a NUL in %s is refused with a sentence", (field) => {
  const parsed = listAuditInput.safeParse({ ...range, [field]: "a\0b" });
  expect(parsed.error?.issues[0]?.message).toBe("The text contains a NUL character; remove it.");
});
