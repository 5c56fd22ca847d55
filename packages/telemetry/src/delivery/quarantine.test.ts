import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { openQuarantine } from "./quarantine.ts";

const folder = useTestFolder();

test("a refused batch is kept beside its reason, and all but the newest three are deleted", async () => {
  const path = join(folder, "made/aside");
  const quarantine = await openQuarantine(path, 3, () => 1_763_700_000_000);
  for (let number = 0; number < 5; number += 1) {
    await quarantine.putAside(Uint8Array.of(number), `Refused for the ${number}th time.`);
  }
  const names = readdirSync(path).sort();
  expect(names).toHaveLength(6);
  const read = (suffix: string) =>
    names.filter((name) => name.endsWith(suffix)).map((name) => readFileSync(join(path, name)));
  expect(read(".batch").map((bytes) => bytes[0])).toEqual([2, 3, 4]);
  expect(read(".txt")[0]?.toString()).toBe("Refused for the 2th time.\n");
});

test("other programs' files are left alone, and a missing folder causes no error", async () => {
  writeFileSync(join(folder, "notes.txt"), "mine");
  const quarantine = await openQuarantine(folder, 0, () => 1);
  await quarantine.putAside(Uint8Array.of(1), "No.");
  expect(readdirSync(folder)).toEqual(["notes.txt"]);
  rmSync(folder, { recursive: true });
  await expect(quarantine.putAside(Uint8Array.of(1), "No.")).resolves.toBeUndefined();
});
