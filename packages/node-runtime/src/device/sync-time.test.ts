import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { measureSyncMs } from "./sync-time.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stashlight-sync-time-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a sync takes time, and measuring it leaves no file behind", async () => {
  expect(await measureSyncMs(folder)).toBeGreaterThan(0);
  expect(readdirSync(folder)).toEqual([]);
});

test("a missing folder is an error", async () => {
  await expect(measureSyncMs(join(folder, "none"))).rejects.toMatchObject({ code: "ENOENT" });
});
