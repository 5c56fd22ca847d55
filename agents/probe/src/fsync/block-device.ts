import { realpath, stat } from "node:fs/promises";
import { basename } from "node:path";

/** As the kernel calls the device that a folder is on; null where it has none, as tmpfs and overlays. */
export async function blockDeviceOf(folder: string, sysFolder = "/sys"): Promise<string | null> {
  try {
    const { dev } = await stat(folder, { bigint: true });
    // As the C library's major() and minor() take it apart.
    const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
    const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
    return basename(await realpath(`${sysFolder}/dev/block/${major}:${minor}`));
  } catch {
    return null;
  }
}
