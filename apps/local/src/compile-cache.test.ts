import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { afterEach, expect, test, vi } from "vitest";
import { fillCompileCache } from "./compile-cache.ts";

const folder = useTestFolder();
afterEach(() => {
  vi.unstubAllEnvs();
});

function writeProgram(name: string): string {
  const path = join(folder, name);
  const mark = JSON.stringify(join(folder, "ran"));
  writeFileSync(
    path,
    `import { writeFileSync } from "node:fs";\nconst mark: string = ${mark};\nwriteFileSync(mark, "");\n`,
  );
  return path;
}

const cachedFileCount = () =>
  existsSync(join(folder, "cache"))
    ? readdirSync(join(folder, "cache"), { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      ).length
    : 0;

test("programs are compiled without being run", async () => {
  vi.stubEnv("NODE_COMPILE_CACHE", join(folder, "cache"));
  await fillCompileCache([writeProgram("one.ts")], () => {});
  const afterOne = cachedFileCount();
  await fillCompileCache([writeProgram("one.ts"), writeProgram("two.ts")], () => {});
  expect(afterOne).toBeGreaterThan(0);
  expect(cachedFileCount()).toBeGreaterThan(afterOne);
  expect(existsSync(join(folder, "ran"))).toBe(false);
});

test("a program that cannot be loaded does not make filling the cache fail", async () => {
  vi.stubEnv("NODE_COMPILE_CACHE", join(folder, "cache"));
  const onSpawn = vi.fn();
  await fillCompileCache([join(folder, "missing.ts")], onSpawn);
  expect(onSpawn).toHaveBeenCalledOnce();
});

test("no process is started without a cache", async () => {
  vi.stubEnv("NODE_COMPILE_CACHE", undefined);
  const onSpawn = vi.fn();
  await fillCompileCache([writeProgram("one.ts")], onSpawn);
  expect(onSpawn).not.toHaveBeenCalled();
});
