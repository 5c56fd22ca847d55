import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeLock } from "./lock.ts";
import type { Options } from "./options.ts";
import { checkSurroundings, lockFileOf } from "./preflight.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stashlight-preflight-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

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
    simulatedFleet: undefined,
    ...difference,
  };
}

/** Calls back while a port of the loopback address is taken, and returns that port. */
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

test("all is well with a free port and a folder that can be made", async () => {
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

test("another Stashlight on the same folder is named with its address", async () => {
  const own = await options();
  mkdirSync(own.dataDirectory);
  const taken = takeLock(lockFileOf(own.dataDirectory), "http://localhost:4999");
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
