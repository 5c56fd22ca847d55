import { readdirSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { measureSyncMs } from "./sync-time.ts";

const folder = useTestFolder();

test("a sync takes time, and measuring it leaves no file behind", async () => {
  expect(await measureSyncMs(folder)).toBeGreaterThan(0);
  expect(readdirSync(folder)).toEqual([]);
});

test("a missing folder is an error", async () => {
  await expect(measureSyncMs(join(folder, "none"))).rejects.toMatchObject({ code: "ENOENT" });
});
