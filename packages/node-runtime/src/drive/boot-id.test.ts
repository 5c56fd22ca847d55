import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { nextBootId } from "./boot-id.ts";

const parent = useTestFolder();

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test.each<[string, number[], number[]]>([
  ["the wall clock advances", [1000, 2000], [1000, 2000]],
  ["the wall clock has not advanced", [1000, 1000], [1000, 1001]],
  ["the wall clock was set back by an hour", [7_200_000, 3_600_000], [7_200_000, 7_200_001]],
])("each boot gets a higher id when %s", async (_, clocksMs, expected) => {
  const given: number[] = [];
  for (const clockMs of clocksMs) given.push(await nextBootId(parent, clockMs));
  expect(given).toEqual(expected);
});

test("only the owner can read the id and enter its folder, even if an earlier release left readable files", async () => {
  const made = join(parent, "made");
  await nextBootId(made, 1000);
  expect([modeOf(made), modeOf(join(made, "boot"))]).toEqual(["700", "600"]);
  chmodSync(join(made, "boot"), 0o644);
  writeFileSync(join(made, "boot.partial"), "");
  chmodSync(join(made, "boot.partial"), 0o644);
  await nextBootId(made, 2000);
  expect(readdirSync(made)).toEqual(["boot"]);
  expect(modeOf(join(made, "boot"))).toBe("600");
});
