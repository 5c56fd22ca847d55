/** Fill levels of a machine's file systems. */
import { readFile, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Recorder } from "@stashlight/telemetry";
import { type Mount, parseMounts } from "./mounts.ts";

export interface FilesystemMetricsOptions {
  readonly recorder: Recorder;
  readonly procFolder?: string;
}

export class FilesystemMetrics {
  readonly #recorder: Recorder;
  readonly #mountinfo: string;
  #known: readonly Mount[] = [];
  #isReading = false;

  constructor({ recorder, procFolder = "/proc" }: FilesystemMetricsOptions) {
    this.#recorder = recorder;
    this.#mountinfo = join(procFolder, "self/mountinfo");
  }

  /** While one file system hangs, none has new values, which shows as a gap, and no second thread is blocked. */
  async refresh(): Promise<void> {
    if (this.#isReading) {
      for (const { folder } of this.#known) this.#set(folder, null);
      return;
    }
    this.#isReading = true;
    const mounts = parseMounts(await readFile(this.#mountinfo, "utf8").catch(() => ""));
    for (const { folder } of this.#known) {
      if (!mounts.some((mount) => mount.folder === folder)) this.#set(folder, null);
    }
    this.#known = mounts;
    for (const { folder } of mounts) {
      const told = await statfs(folder).catch(() => null);
      // As in df(1): blocks reserved for root are neither used nor free.
      this.#set(
        folder,
        told === null
          ? null
          : {
              usedBytes: (told.blocks - told.bfree) * told.bsize,
              freeBytes: told.bavail * told.bsize,
            },
      );
    }
    this.#isReading = false;
  }

  #set(filesystem: string, space: { readonly usedBytes: number; readonly freeBytes: number } | null): void {
    const used = this.#recorder.gauge("stashlight_filesystem_used_bytes", { filesystem });
    const capacity = this.#recorder.gauge("stashlight_filesystem_capacity_bytes", { filesystem });
    used.set(space?.usedBytes ?? null);
    capacity.set(space === null ? null : space.usedBytes + space.freeBytes);
  }
}
