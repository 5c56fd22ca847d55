/** Folders on disk for one file of tests. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach } from "vitest";

/** Returns the path of a folder that is removed after the last test. */
export function useSharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "stashlight-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the path of a folder that is made before each test, and removed after it with all it holds. */
export function useTestFolder(): string {
  const folder = join(useSharedFolder(), "folder");
  beforeEach(() => mkdirSync(folder, { mode: 0o700 }));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
