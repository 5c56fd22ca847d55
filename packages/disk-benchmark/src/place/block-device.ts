import { readFile, realpath, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { BlockDevice } from "@stashlight/contracts/disk/cell";

/** The device that a folder is on; of a partition the whole drive. */
export async function blockDeviceOf(folder: string, sysFolder = "/sys"): Promise<BlockDevice> {
  const path = await devicePath(folder, sysFolder);
  const told = async (name: string): Promise<string | null> => {
    if (path === null) return null;
    const text = await readFile(join(path, name), "utf8").catch(() => "");
    return text.trim() === "" ? null : text.trim().slice(0, 100);
  };
  const [model, rotational, block, schedulers, writeCache] = await Promise.all(
    [
      "device/model",
      "queue/rotational",
      "queue/logical_block_size",
      "queue/scheduler",
      "queue/write_cache",
    ].map(told),
  );
  return {
    name: path === null ? null : basename(path),
    model: model ?? null,
    isRotational: rotational == null ? null : rotational === "1",
    logicalBlockBytes: block == null ? null : Number(block),
    // "none [mq-deadline] kyber": the one in brackets is in use.
    scheduler: schedulers == null ? null : (/\[(.+?)\]/.exec(schedulers)?.[1] ?? schedulers),
    writeCache: writeCache ?? null,
  };
}

async function devicePath(folder: string, sysFolder: string): Promise<string | null> {
  try {
    const { dev } = await stat(folder, { bigint: true });
    // The C library's major() and minor() divide the number in this way.
    const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
    const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
    const path = await realpath(`${sysFolder}/dev/block/${major}:${minor}`);
    const isPartition = await readFile(join(path, "partition"), "utf8").then(
      () => true,
      () => false,
    );
    return isPartition ? join(path, "..") : path;
  } catch {
    return null;
  }
}
