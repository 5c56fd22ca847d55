import { existsSync, mkdirSync, statfsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { takeLock } from "./lock.ts";
import type { Options } from "./options.ts";
import { checkSurroundings, lockFilePath } from "./preflight.ts";

const folder = useTestFolder();

async function options(difference: Partial<Options> = {}): Promise<Options> {
  return {
    port: await usePort(() => {}),
    ingestPort: await usePort(() => {}),
    host: "127.0.0.1",
    dataDirectory: join(folder, "data"),
    databaseUrl: undefined,
    runtimeDatabaseUrl: undefined,
    storageProfile: "plain",
    publicUrl: "http://localhost:4680",
    recoverEmail: undefined,
    vault: undefined,
    isNewSecretAccepted: false,
    simulatedFleet: undefined,
    ...difference,
  };
}

/** Calls back with a loopback port while it is taken, and resolves to that port. */
function usePort(action: (port: number) => Promise<void> | void): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", async () => {
      const { port } = server.address() as { port: number };
      try {
        await action(port);
        server.close(() => resolve(port));
      } catch (error) {
        server.close(() => reject(error));
      }
    });
  });
}

test("a free port and a folder that can be created are accepted", async () => {
  await checkSurroundings(await options());
});

test("a taken port is found before anything is created", async () => {
  const own = await options();
  await usePort(async (port) => {
    const sentence = `Port ${port} is taken by another program; stop it, or choose another port: npm start -- --port ${port + 1}.`;
    await expect(checkSurroundings({ ...own, port })).rejects.toThrow(sentence);
  });
  expect(existsSync(own.dataDirectory)).toBe(false);
});

test("another Stashlight on the same folder is reported with its address", async () => {
  const own = await options();
  mkdirSync(own.dataDirectory);
  const taken = takeLock(lockFilePath(own.dataDirectory), "http://localhost:4999");
  expect(taken).toHaveProperty("lock");
  await expect(checkSurroundings(own)).rejects.toThrow(
    `Stashlight already runs on ${own.dataDirectory} at http://localhost:4999 (process ${process.pid})`,
  );
});

test("an address of another machine is refused", async () => {
  await expect(checkSurroundings(await options({ host: "192.0.2.1" }))).rejects.toThrow(
    "192.0.2.1 is not an address of this machine",
  );
});

test("a data folder below a file is refused", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  await expect(checkSurroundings(await options({ dataDirectory: join(file, "data") }))).rejects.toThrow(
    /file (is not a folder|could not be used)|no permission to write .*file/,
  );
});

const vaultOptions = { s3Port: 0, hasDemoLoad: false, isModelled: false, count: undefined };

/** Parts of a vault's file that a start reads before it creates anything. */
function writePresentVault(dataDirectory: string, segmentBytes = 8_388_608, name = "vault"): void {
  mkdirSync(join(dataDirectory, name), { recursive: true });
  const file = {
    scheme: { dataShardCount: 16, parityShardCount: 4 },
    podVolume: { segmentBytes, segmentCount: 12 },
    stashVolume: { segmentBytes: 4_194_304, segmentCount: 20 },
    nodes: [{ role: "stash", drives: Array.from({ length: 21 }, () => ({})) }],
  };
  writeFileSync(join(dataDirectory, name, "vault.json"), JSON.stringify(file));
  writeFileSync(join(dataDirectory, name, "formatted"), "");
}

test.each([false, true])(
  "a size that does not fit on the disk is refused before anything is created (existing vault: %s)",
  async (isThere) => {
    const s3Port = await usePort(() => {});
    const own = await options({ vault: { ...vaultOptions, s3Port, shape: { sizeBytes: 20e12 } } });
    if (isThere) writePresentVault(own.dataDirectory, 2 ** 30);
    const { bavail, bsize } = statfsSync(folder);
    expect(bavail * bsize, "This test needs a disk with less than 19 TB free.").toBeLessThan(19e12);
    await expect(checkSurroundings(own)).rejects.toThrow(
      /Only \d+ MB are free on the disk of .*needs 1\d{7} MB; .* or give a smaller --vault-size\./,
    );
    expect(existsSync(own.dataDirectory)).toBe(isThere);
  },
);

test("an impossible change of a vault is refused", async () => {
  const s3Port = await usePort(() => {});
  const own = await options({ vault: { ...vaultOptions, s3Port, shape: { sizeBytes: 3e9 } } });
  writePresentVault(own.dataDirectory);
  await expect(checkSurroundings(own)).rejects.toThrow("take 3.8GB and cannot shrink to 3GB");
  const other = { ...own, vault: { ...vaultOptions, s3Port, shape: { scheme: "15+5" as const } } };
  await expect(checkSurroundings(other)).rejects.toThrow("cannot become 15+5");
});

test("each added vault needs the space of the first one, and existing vaults need no more", async () => {
  const s3Port = await usePort(() => {});
  const own = await options();
  const withCount = (count: number | undefined) => ({
    ...own,
    vault: { ...vaultOptions, s3Port, shape: {}, count },
  });
  // 20 pods of 12 segments of 64 GiB are 15.5 TiB.
  writePresentVault(own.dataDirectory, 64 * 2 ** 30);
  await checkSurroundings(withCount(undefined));
  await expect(checkSurroundings(withCount(3))).rejects.toThrow(
    /Only \d+ MB are free on the disk of .*needs 31\d{6} MB; .* or give a smaller --vaults or --vault-size\./,
  );
  writePresentVault(own.dataDirectory, 8_388_608, "vault-2");
  await checkSurroundings(withCount(2));
  await expect(checkSurroundings(withCount(1))).rejects.toThrow("--vaults 1 is fewer than the 2 vaults");
});
