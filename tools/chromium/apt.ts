import { spawnSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

const LOCK_WAIT_MS_MAX = 600_000;
const LOCK_POLL_MS = 2_000;

/** True if apt's current lists have a version of the package. */
export function isOfferedByApt(name: string): boolean {
  const { stdout } = spawnSync("apt-cache", ["show", "--no-all-versions", name], { encoding: "utf8" });
  return (stdout ?? "").includes(`Package: ${name}\n`);
}

/** Installs Debian's package; false if there is no apt or it fails, so that the caller tries another source. */
export async function installFromApt(name: string, say: (line: string) => void): Promise<boolean> {
  if (spawnSync("apt-get", ["--version"], { stdio: "ignore" }).status !== 0) return false;
  say(`Installing ${name} with apt-get (about 100 MB, once) ...`);
  const deadlineMs = performance.now() + LOCK_WAIT_MS_MAX;
  return (
    (await aptGet(["update"], deadlineMs)) &&
    (await aptGet(["install", "--yes", "--no-install-recommends", name], deadlineMs))
  );
}

/** Another apt may hold a lock for minutes; apt-get itself waits for some locks, and this retries for the others. */
async function aptGet(args: readonly string[], deadlineMs: number): Promise<boolean> {
  while (true) {
    const result = spawnSync("apt-get", ["-qq", "-o", "DPkg::Lock::Timeout=600", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" },
    });
    if (result.status === 0) return true;
    const isLocked = /could not get lock|unable to lock|unable to acquire/i.test(result.stderr ?? "");
    if (!isLocked || performance.now() > deadlineMs) return false;
    await delay(LOCK_POLL_MS);
  }
}
