import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { CreateBucketCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { useVault } from "../harness/use-vault.ts";

const used = useVault();

test("only the owner of a vault can read its files and enter its folders", async () => {
  const { vault, s3 } = used;
  await s3.send(new CreateBucketCommand({ Bucket: "modes" }));
  await s3.send(new PutObjectCommand({ Bucket: "modes", Key: "one", Body: "x" }));
  await vault.drained();
  // A second start meets the files of the first.
  await vault.end(vault.nodeIds, "SIGTERM");
  vault.start(vault.nodeIds);
  await vault.ready();
  const entries = readdirSync(vault.folder, { recursive: true, withFileTypes: true });
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  const open = paths.filter((path) => (statSync(path).mode & 0o077) !== 0);
  expect(open.map((path) => relative(vault.folder, path))).toEqual([]);
  const names = new Set(entries.map(({ name }) => name));
  expect([...names]).toEqual(expect.arrayContaining(["vault.json", "node.key", "boot", "drive-0"]));
});
