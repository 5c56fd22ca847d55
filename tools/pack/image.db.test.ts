/** Runs the image's content like a container: as an unprivileged user on a read-only root. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { createTestDatabase, type TestDatabase } from "@stashlight/db/testing";
import { findFreePorts } from "@stashlight/node-runtime/config";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { assembleImage, isConsoleBuilt } from "./image.ts";

const LONG_MS = 240_000;
const NOBODY = "65534";

/** In a separate mount namespace, with the image at /mnt, Node at /srv and only /tmp writable. */
const CONTAINER = `
  mount --bind "$IMAGE" /mnt && mount --bind "$NODE_FOLDER" /srv && mount -t tmpfs tmpfs /tmp &&
  mount -o remount,bind,ro /mnt && mount -o remount,bind,ro /srv && mount -o remount,bind,ro / && cd /mnt &&
  exec setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups --no-new-privs /srv/node "$@"
`;

const canIsolate =
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "setpriv", "--reuid", NOBODY, "--clear-groups", "true"]).status === 0;
const why = isConsoleBuilt() ? "no root or no unshare" : "the console is not built";
const isSkipped = !isConsoleBuilt() || !canIsolate;
if (isSkipped) console.log(`SKIPPED: the image's content was not run (${why}).`);

describe.skipIf(isSkipped)("the image", () => {
  const folder = isSkipped ? "" : mkdtempSync(join(tmpdir(), "stashlight-image-"));
  const image = join(folder, "image");
  const running: ChildProcess[] = [];
  let database: TestDatabase;

  beforeAll(async () => {
    [database] = await Promise.all([createTestDatabase(), assembleImage(image)]);
    chmodSync(folder, 0o755);
  }, LONG_MS);
  afterAll(async () => {
    for (const child of running) child.kill("SIGKILL");
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  }, LONG_MS);

  function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    const child = spawn(
      "unshare",
      ["--mount", "--propagation", "private", "sh", "-c", CONTAINER, "sh", ...args],
      {
        env: {
          PATH: process.env.PATH,
          IMAGE: image,
          NODE_FOLDER: dirname(process.execPath),
          DATABASE_RUNTIME_URL: database.runtimeUrl,
          STASHLIGHT_SECRET: "a secret that only this test knows of",
          ...env,
        },
      },
    );
    running.push(child);
    return child;
  }

  async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const child = start(args, env);
    if (child.stdout === null || child.stderr === null) throw new Error("There are no pipes.");
    const [said, complained] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { said, complained, exitCode: child.exitCode };
  }

  test("contains a bill of materials, but no tests and no development dependencies", () => {
    const store = readdirSync(join(image, "node_modules/.pnpm"));
    const names = store.map((name) => name.replace(/(?<=.)@.*/, "").replace("+", "/"));
    const manifests = ["package.json", ...globSync("{agents,apps,packages}/*/package.json", { cwd: image })];
    const asked = manifests.map((path) => JSON.parse(readFileSync(join(image, path), "utf8")));
    const isRun = (name: string) => asked.some(({ dependencies = {} }) => name in dependencies);
    const isDevelopedWith = (name: string) =>
      asked.some(({ devDependencies = {} }) => name in devDependencies);
    expect(names.filter((name) => isDevelopedWith(name) && !isRun(name))).toEqual([]);
    expect(names).not.toContain("vitest");
    const sources = readdirSync(join(image, "packages"), { recursive: true, encoding: "utf8" });
    expect(sources.filter((path) => !path.includes("node_modules") && path.includes(".test."))).toEqual([]);
    const bill = JSON.parse(readFileSync(join(image, "sbom.cdx.json"), "utf8"));
    expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });
    expect(bill.components.map(({ name }: { name: string }) => name)).toContain("next");
  });

  test(
    "migrate, console, ingest and worker run from it as an unprivileged user, and a page is served",
    async () => {
      const roles = ["console", "ingest", "worker"] as const;
      const ports = await findFreePorts(roles.length, Math.random);
      const [consolePort, ingestPort, workerPort] = ports;
      const shared = {
        STASHLIGHT_PUBLIC_URL: `http://127.0.0.1:${consolePort}`,
        STASHLIGHT_PORT: `${consolePort}`,
        STASHLIGHT_INGEST_PORT: `${ingestPort}`,
        STASHLIGHT_WORKER_PORT: `${workerPort}`,
      };
      const main = "apps/local/src/main.ts";
      const migrated = await run([main, "--role", "migrate"], { ...shared, DATABASE_URL: database.ownerUrl });
      expect(migrated).toMatchObject({ exitCode: 0, complained: "" });
      expect(migrated.said).toContain("Migrations: up to date.");
      const children = roles.map((role) => start([main], { ...shared, STASHLIGHT_ROLE: role }));
      let output = "";
      for (const stream of children.flatMap(({ stdout, stderr }) => [stdout, stderr])) {
        stream?.setEncoding("utf8").on("data", (part: string) => {
          output += part;
        });
      }
      for (const port of ports) {
        await vi.waitFor(async () => {
          const status = await fetch(`http://127.0.0.1:${port}/readyz`).then(
            (answer) => answer.status,
            () => "no answer",
          );
          expect(status, output).toBe(200);
        }, LONG_MS / 3);
      }
      const page = await fetch(`http://127.0.0.1:${consolePort}/sign-in`);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain("Stashlight");
      const health = await run(["tools/pack/health.mjs"], { ...shared, STASHLIGHT_ROLE: "worker" });
      expect(health).toEqual({ said: "", complained: "", exitCode: 0 });
      for (const child of children) {
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        expect(await ended).toEqual([0, null]);
      }
    },
    LONG_MS,
  );

  test("its root is read-only, its user is unprivileged, and it contains the probe", async () => {
    const question = "require('fs').writeFileSync('/mnt/x', '')";
    expect((await run(["-e", question])).complained).toContain("EROFS");
    expect(await run(["-p", "process.getuid()"])).toMatchObject({ said: `${NOBODY}\n` });
    const probe = await run(["stashlight.cjs", "probe"]);
    expect(probe).toMatchObject({ exitCode: 1, complained: expect.stringMatching(/^--ingest is missing/) });
    expect(existsSync(join(image, "stashlight.cjs"))).toBe(true);
  });
});
