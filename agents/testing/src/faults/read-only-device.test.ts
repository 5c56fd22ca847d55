/**
 * A pod's drive is a separate file system on a loop device that becomes read-only under load, and then writable again.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { afterAll, describe, expect, test } from "vitest";
import { scratchFolder } from "../harness/agent-process.ts";
import { createClient, type S3Client, WITHOUT_RETRIES } from "../harness/client.ts";
import { reportedFailed, reportedWell } from "../harness/drive-faults.ts";
import { describeDifferences } from "../harness/faults/audit.ts";
import { KeptObjects } from "../harness/faults/kept-objects.ts";
import { Load } from "../harness/load-clients.ts";
import { createTestVault, type TestVault } from "../harness/vault.ts";
import { until } from "../harness/wait-until.ts";

const MIB = 1_048_576;
const IMAGE_BYTES = 128 * MIB;
const UNMOUNTED_WITHIN_MS = 120_000;

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

/** A file system in a file, attached and mounted; or the reason why that is impossible here. */
class LoopDevice {
  readonly #device: string;
  readonly #folder: string;

  private constructor(device: string, folder: string) {
    this.#device = device;
    this.#folder = folder;
  }

  static attach(folder: string): LoopDevice {
    const image = join(folder, "image");
    writeFileSync(image, "");
    run("truncate", "--size", String(IMAGE_BYTES), image);
    run("mkfs.ext4", "-q", "-F", image);
    return new LoopDevice(run("losetup", "--find", "--show", image), folder);
  }

  mount(at: string): void {
    mkdirSync(at, { recursive: true });
    run("mount", this.#device, at);
  }

  /**
   * Ends the file system's journal, as the kernel does after a device error: all writes fail until it is mounted again.
   */
  abort(at: string): void {
    run("mount", "-o", "remount,abort", at);
  }

  /** Returns false while the agent still has one of its files open. */
  unmount(at: string): boolean {
    return spawnSync("umount", [at]).status === 0;
  }

  detach(at: string): void {
    spawnSync("umount", ["--lazy", at]);
    spawnSync("losetup", ["--detach", this.#device]);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function attachLoopDevice(): { device: LoopDevice } | { whyNot: string } {
  mkdirSync(scratchFolder, { recursive: true });
  const folder = mkdtempSync(join(scratchFolder, "loop-"));
  const at = join(folder, "mounted");
  try {
    const device = LoopDevice.attach(folder);
    device.mount(at);
    run("umount", at);
    return { device };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return {
      whyNot: `a loop device cannot be mounted (${(error as Error).message.split("\n").join(" ").trim()})`,
    };
  }
}

const attached = attachLoopDevice();
if ("whyNot" in attached)
  console.warn(`SKIPPED: a drive that becomes read-only was not tested: ${attached.whyNot}.`);

describe.skipIf("whyNot" in attached)("a drive that becomes read-only", () => {
  let vault: TestVault | null = null;
  let s3: S3Client | null = null;
  let mountPoint = "";

  afterAll(async () => {
    s3?.destroy();
    await vault?.kill();
    if ("device" in attached) attached.device.detach(mountPoint);
    await vault?.close();
  });

  test("spares the others, is reported failed, and serves again once remounted", async () => {
    if (!("device" in attached)) return;
    const { device } = attached;
    vault = await createTestVault({ podNodeCount: 1 });
    mountPoint = join(vault.folder, "pod-1/drive-1");
    device.mount(mountPoint);
    vault.start(vault.nodeIds, { mayFormat: true });
    await vault.ready();
    s3 = createClient(vault, WITHOUT_RETRIES);
    const kept = await KeptObjects.create(s3, "kept", 20);
    await s3.send(new CreateBucketCommand({ Bucket: "small" }));
    const load = new Load({ s3, bucket: "small", concurrency: 2, lists: true, acceptsUnavailable: true });
    const audited = { s3, kept, loads: [load], buckets: ["small"] };
    kept.startReading();
    load.start();
    await load.progress(20);
    device.abort(mountPoint);
    expect(await reportedFailed(vault, "p1")).not.toBe("");
    await load.progress(20);
    await until("no file of the drive is open", () => device.unmount(mountPoint), UNMOUNTED_WITHIN_MS);
    device.mount(mountPoint);
    await reportedWell(vault, "p1");
    await load.progress(20);
    await load.stop();
    await kept.stopReading();
    await vault.drained();
    expect(await describeDifferences(audited)).toEqual([]);
    await vault.kill();
    vault.start(vault.nodeIds);
    await vault.ready();
    expect(await describeDifferences(audited)).toEqual([]);
  });
});
