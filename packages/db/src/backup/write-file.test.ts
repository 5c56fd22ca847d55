import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { explainWriteError } from "./failures.ts";
import {
  itemsWith,
  makeTestFolder,
  readVerified,
  type TestFolder,
  testHeader,
  testKey,
} from "./testing/files.ts";
import { writeBackupFile } from "./write-file.ts";

let folder: TestFolder;
beforeAll(() => {
  folder = makeTestFolder();
});
afterAll(() => folder.remove());

const rows = ["(ada,admin)", "(vera,viewer)"];
const write = (path: string, items = itemsWith(rows)) =>
  writeBackupFile(path, { header: testHeader, items }, { key: testKey });

test("a backup that is killed midway leaves only a partial file, which is refused", async () => {
  const path = folder.at("killed");
  const writer = `
    import { writeBackupFile } from ${JSON.stringify(import.meta.resolve("./write-file.ts"))};
    const key = { keyId: "00000000000a", key: Buffer.alloc(32, 10) };
    const header = ${JSON.stringify(testHeader)};
    async function* items() {
      yield { type: "table", table: "public.user_account", columns: ["id", "role"] };
      for (let id = 0; id < 10; id += 1) yield { type: "row", row: "(" + id + ",viewer)" };
      process.send("written");
      setInterval(() => {}, 1000);
      await new Promise(() => {});
    }
    await writeBackupFile(process.argv[1], { header, items: items() }, { key, chunkBytes: 16 });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", writer, path], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(existsSync(path)).toBe(false);
  expect(statSync(`${path}.partial`).size).toBeGreaterThan(200);
  await expect(readVerified(`${path}.partial`)).rejects.toThrow(/is not whole: .*its end is missing/);
  await write(path);
  expect(await readVerified(path)).toEqual(rows);
  expect(existsSync(`${path}.partial`)).toBe(false);
});

test("a backup whose source fails leaves no file, and the reason passes through", async () => {
  const path = folder.at("failed");
  async function* failing(): ReturnType<typeof itemsWith> {
    yield* itemsWith(rows);
    throw new Error("the database went away");
  }
  await expect(write(path, failing())).rejects.toThrow(/^the database went away$/);
  expect(readdirSync(folder.at(".")).filter((name) => name.startsWith("failed"))).toEqual([]);
});

test("if a second backup with the same name begins during the first, the first fails and the second is written whole", async () => {
  const path = folder.at("twice");
  const second = ["(olga,operator)"];
  async function* overtaken(): ReturnType<typeof itemsWith> {
    yield* itemsWith(rows);
    await write(path, itemsWith(second));
  }
  await expect(write(path, overtaken())).rejects.toThrow(/another backup with this name began meanwhile/);
  expect(await readVerified(path)).toEqual(second);
});

test("a file that appears during the backup is kept", async () => {
  const path = folder.at("appeared");
  async function* slow(): ReturnType<typeof itemsWith> {
    yield* itemsWith(rows);
    writeFileSync(path, "mine");
  }
  await expect(write(path, slow())).rejects.toThrow(/a file with this name appeared meanwhile/);
  expect(readFileSync(path, "utf8")).toBe("mine");
  expect(existsSync(`${path}.partial`)).toBe(false);
});

test("a link in place of the partial file is not followed", async () => {
  const path = folder.at("linked");
  const target = folder.file("target", Buffer.from("mine"));
  symlinkSync(target, `${path}.partial`);
  await write(path);
  expect(readFileSync(target, "utf8")).toBe("mine");
  expect(await readVerified(path)).toEqual(rows);
});

test.each<[string, () => string, RegExp]>([
  [
    "whose folder is missing",
    () => folder.at("missing/file"),
    /\(ENOENT\): its folder does not exist\. Create the folder/,
  ],
  [
    "below a file",
    () => `${folder.file("plain", Buffer.from("x"))}/file`,
    /\(ENOTDIR\): a part of its path is not a folder\./,
  ],
  [
    "with a folder in its place",
    () => {
      mkdirSync(folder.at("taken.partial"));
      return folder.at("taken");
    },
    /\((ERR_FS_)?EISDIR\): a folder is in its place\./,
  ],
])("a file %s is not written, and the error states the reason", async (_, path, sentence) => {
  await expect(write(path())).rejects.toThrow(sentence);
});

test("a full disk, a read-only one and a missing permission are reported with a remedy", () => {
  const failed = (code: string) => Object.assign(new Error(`${code}: write`), { code, syscall: "write" });
  const explained = ["ENOSPC", "EROFS", "EACCES"].map(
    (code) => (explainWriteError(failed(code), "/b/a") as Error).message,
  );
  expect(explained).toEqual([
    "The backup /b/a was not written (ENOSPC): the disk is full. Free some space, or name a file on another disk.",
    "The backup /b/a was not written (EROFS): the file system is read-only. Name a file on another one.",
    "The backup /b/a was not written (EACCES): this user has no permission. Run as another user, or name another file.",
  ]);
});
