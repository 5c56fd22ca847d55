/**
 * Memory that the container of this process uses, as its limit counts it (cgroup v2). All processes of the container share
 * that limit. The page cache is left out, because the kernel gives it back before it ends a process.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const CGROUPS = "/sys/fs/cgroup";

type ReadText = (path: string) => string;

/** Returns bytes; null if the system does not count them. */
export function readContainerUse(readText: ReadText = (path) => readFileSync(path, "utf8")): number | null {
  try {
    const folder = findFolder(readText);
    const usedBytes = Number(readText(join(folder, "memory.current")));
    const stat = readText(join(folder, "memory.stat"));
    const cacheBytes = readField(stat, "active_file") + readField(stat, "inactive_file");
    return Number.isFinite(usedBytes) ? Math.max(0, usedBytes - cacheBytes) : null;
  } catch {
    return null;
  }
}

/** A container usually sees its own group as the root. Throws if there is neither. */
function findFolder(readText: ReadText): string {
  const own = /^0::(\/.*)$/m.exec(readText("/proc/self/cgroup"))?.[1] ?? "/";
  try {
    readText(join(CGROUPS, own, "memory.current"));
    return join(CGROUPS, own);
  } catch {
    return CGROUPS;
  }
}

const readField = (stat: string, name: string): number =>
  Number(new RegExp(`^${name} (\\d+)$`, "m").exec(stat)?.[1] ?? 0);
