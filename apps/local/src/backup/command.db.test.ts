/** Output of `npm run backup` and `npm run restore`: one sentence per failure, never a stack trace. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { compileCacheEnvironment } from "@stashlight/contracts/process";
import { useSharedFolder } from "@stashlight/contracts/testing";
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
  testProfile,
} from "@stashlight/db/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const secret = "a secret of the tests, long enough to be taken for one";
const otherSecret = "a secret of another installation, as long as the first";
/** No process listens there. */
const nowhere = "postgresql://owner:password@127.0.0.1:1/stashlight";
const folder = useSharedFolder();
let path: string;
let source: TestDatabase;
const databases: TestDatabase[] = [];
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  path = at("console.backup");
  writeFileSync(at("secret"), `${secret}\n`);
  writeFileSync(at("other-secret"), `${otherSecret}\n`);
  source = await createTestDatabase();
  databases.push(source);
  const { code, out } = await run(["backup", path, "--database-url", source.ownerUrl]);
  expect(out).toMatch(/console\.backup has \d+ rows, without metrics/);
  expect(out).toMatch(/It can be verified only with the installation's secret \(key [0-9a-f]{12}\)/);
  expect(code).toBe(0);
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.drop()));
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

async function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv = { STASHLIGHT_SECRET: secret },
): Promise<Ended> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...compileCacheEnvironment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { code, out, errors };
}

const restoreInto = (url: string, from: string, ...options: readonly string[]) => [
  ...["restore", from, "--database-url", url, "--storage-profile", testProfile()],
  ...options,
];

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  databases.push(database);
  return database;
}

const changed = (name: string, position: number): string => {
  const bytes = readFileSync(path);
  const place = position < 0 ? bytes.length + position : position;
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  writeFileSync(at(name), bytes);
  return at(name);
};

const refused: [string, () => string[], RegExp, NodeJS.ProcessEnv?][] = [
  [
    "a missing file",
    () => restoreInto(nowhere, at("nowhere")),
    /cannot be read \(ENOENT\): there is no such file/,
  ],
  [
    "a changed manifest",
    () => restoreInto(nowhere, changed("manifest", 40)),
    /is not whole: it was cut off or changed/,
  ],
  [
    "another secret",
    () => restoreInto(nowhere, path),
    /was written by another installation/,
    { STASHLIGHT_SECRET: otherSecret },
  ],
  [
    "a writer's secret that is not the writer's",
    () => restoreInto(nowhere, path, "--other-installation", at("other-secret")),
    /was written by another installation/,
  ],
  [
    "no secret",
    () => restoreInto(nowhere, path),
    /none was given\. Set STASHLIGHT_SECRET, or name its file with --secret-file/,
    {},
  ],
  [
    "a database that does not answer",
    () => restoreInto(nowhere, path),
    /^The database does not answer \(.*ECONNREFUSED.*\)/,
  ],
  [
    "a backup without a secret",
    () => ["backup", at("new"), "--database-url", nowhere],
    /^A backup is authenticated with the installation's secret, and none was given\./,
    {},
  ],
  [
    "a backup in a missing folder",
    () => ["backup", at("missing/new"), "--database-url", source.ownerUrl],
    /was not written \(ENOENT\): its folder does not exist/,
  ],
  [
    "a backup over a file",
    () => ["backup", path, "--database-url", source.ownerUrl],
    /already exists; name another file\./,
  ],
];

test.each(refused)("the arguments %s are refused with exit code 2", async (_, args, sentence, env) => {
  const { code, errors, out } = await run(args(), env);
  expect(errors).toMatch(sentence);
  expect(errors.trimEnd().split("\n")).toHaveLength(1);
  expect({ code, out }).toEqual({ code: 2, out: "" });
});

test("a flipped bit in the last chunk is refused before the database is touched, and the intact file is restored", async () => {
  const database = await emptyDatabase();
  const broken = await run(restoreInto(database.ownerUrl, changed("flipped", -40)));
  expect(broken.errors).toMatch(/is not whole: it was cut off or changed \(chunk \d+ fails its check\)/);
  expect(broken.code).toBe(2);
  const restored = await run(restoreInto(database.ownerUrl, path, "--secret-file", at("secret")), {});
  expect(restored.errors).toBe("");
  expect(restored.out).toMatch(/\d+ rows, without metrics of .*, were restored in/);
  expect(restored.code).toBe(0);
  const again = await run(restoreInto(database.ownerUrl, path));
  expect(again.errors).toMatch(/^The database is not empty: audit_event has rows\./);
  expect(again.code).toBe(2);
});

test("a backup of another installation is restored with its secret, with a warning of what the flag exposes", async () => {
  const database = await emptyDatabase();
  const options = ["--other-installation", at("secret")];
  const { code, out } = await run(restoreInto(database.ownerUrl, path, ...options), {
    STASHLIGHT_SECRET: otherSecret,
  });
  expect(out).toMatch(/Its users, keys and roles are that installation's/);
  expect(code).toBe(0);
});

test("a backup is restored without its secret if --unverified is given, with a warning", async () => {
  const database = await emptyDatabase();
  copyFileSync(path, at("lost"));
  const { code, errors } = await run(restoreInto(database.ownerUrl, at("lost"), "--unverified"), {});
  expect(errors).toMatch(/^WARNING: .*lost is restored unverified\. Nothing shows who wrote it/);
  expect(code).toBe(0);
});
