import { appendFile, cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { changeFiles, compareFiles, HARD_NAMES, writeFiles } from "./files.ts";

let root: string;
const files = () => join(root, "files");

async function copyFiles(name: string): Promise<string> {
  const copy = join(root, name);
  await cp(files(), copy, { recursive: true });
  return copy;
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "compatibility-"));
  await writeFiles(files(), 1);
});
afterAll(() => rm(root, { recursive: true }));

test("an exact copy of the files passes", async () => {
  await expect(compareFiles(files(), await copyFiles("same"))).resolves.toBeUndefined();
});

test.each([
  ["a longer file", (copy: string) => appendFile(join(copy, "empty"), "x")],
  ["a file with another name", (copy: string) => rename(join(copy, "names/a+b"), join(copy, "names/a%2Bb"))],
  ["a missing file", (copy: string) => rm(join(copy, "names", HARD_NAMES[0]))],
  ["the files of an earlier backup", changeFiles],
])("a restored folder with %s fails the comparison", async (name, change) => {
  const copy = await copyFiles(name);
  await change(copy);
  await expect(compareFiles(files(), copy)).rejects.toThrow();
});
