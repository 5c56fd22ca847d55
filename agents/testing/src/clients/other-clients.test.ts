/** Tests third-party clients as packaged by Debian: each uploads, reads back, lists, copies and deletes. */
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { findClient, runClient } from "../harness/run-client.ts";
import { useVault } from "../harness/use-vault.ts";

const MIB = 1_048_576;
const used = useVault({ podVolume: { segmentBytes: 8 * MIB, segmentCount: 14 } });

const python = findClient("boto3 (python3-boto3)", [
  ["python3", "-c", "import boto3"],
  ["/usr/bin/python3", "-c", "import boto3"],
]);
const s3cmd = findClient("s3cmd", [["s3cmd", "--version"]]);
const rclone = findClient("rclone", [["rclone", "version"]]);

/** By path below the folder. */
const bodies = new Map<string, Buffer>([
  ["empty", Buffer.alloc(0)],
  ["small.bin", randomBytes(1000)],
  ["folder/256k", randomBytes(262_144)],
  ["folder/with space/ü + & %", randomBytes(MIB)],
  ["large", randomBytes(12 * MIB + 3)],
]);
let folder = "";

beforeAll(() => {
  folder = join(used.vault.folder, "files");
  for (const [path, body] of bodies) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), body);
  }
});

const paths = () => [...bodies.keys()].sort();
const sha256Hex = (body: Uint8Array) => createHash("sha256").update(body).digest("hex");

function expectSameFiles(copy: string): void {
  const hashes = paths().map((path) => [path, sha256Hex(readFileSync(join(copy, path)))]);
  expect(hashes).toEqual(paths().map((path) => [path, sha256Hex(bodies.get(path) as Buffer)]));
}

test.skipIf(python === null)("boto3 uploads, reads back, lists, copies and deletes", async () => {
  const { endpoint, key } = used.vault;
  const script = join(import.meta.dirname, "boto3_client.py");
  expect(await runClient(python as string, [script, endpoint, key.id, key.secret])).toBe("done\n");
});

test.skipIf(s3cmd === null)("s3cmd uploads, reads back, lists, copies and deletes", async () => {
  const { s3Port, key, folder: scratch } = used.vault;
  const host = `127.0.0.1:${s3Port}`;
  const config = join(scratch, "s3cmd.conf");
  writeFileSync(
    config,
    `[default]\naccess_key = ${key.id}\nsecret_key = ${key.secret}\nhost_base = ${host}\nhost_bucket = ${host}\n` +
      "use_https = False\nbucket_location = us-east-1\nsignature_v2 = False\n",
  );
  const run = (...args: string[]) => runClient(s3cmd as string, ["-c", config, "--no-progress", ...args]);
  await run("mb", "s3://s3cmd");
  expect(await run("ls")).toContain("s3://s3cmd");
  await run("put", "--recursive", "--multipart-chunk-size-mb=5", `${folder}/`, "s3://s3cmd/up/");
  const listed = (await run("ls", "--recursive", "s3://s3cmd/up/")).trim().split("\n");
  expect(listed.map((line) => line.slice(line.indexOf("s3://s3cmd/up/") + 14)).sort()).toEqual(paths());
  const copy = join(scratch, "s3cmd-copy");
  mkdirSync(copy);
  await run("get", "--recursive", "s3://s3cmd/up/", copy);
  expectSameFiles(copy);
  await run("cp", "s3://s3cmd/up/large", "s3://s3cmd/large");
  expect(await run("info", "s3://s3cmd/large")).toContain(String(12 * MIB + 3));
  await run("del", "--recursive", "--force", "s3://s3cmd");
  await run("rb", "s3://s3cmd");
});

test.skipIf(rclone === null)("rclone uploads, reads back, lists, copies and deletes", async () => {
  const { endpoint, key, folder: scratch } = used.vault;
  const environment = {
    RCLONE_CONFIG: join(scratch, "rclone.conf"),
    RCLONE_CONFIG_VAULT_TYPE: "s3",
    RCLONE_CONFIG_VAULT_PROVIDER: "Other",
    RCLONE_CONFIG_VAULT_ENDPOINT: endpoint,
    RCLONE_CONFIG_VAULT_REGION: "us-east-1",
    RCLONE_CONFIG_VAULT_ACCESS_KEY_ID: key.id,
    RCLONE_CONFIG_VAULT_SECRET_ACCESS_KEY: key.secret,
    RCLONE_S3_CHUNK_SIZE: "5M",
    RCLONE_S3_UPLOAD_CUTOFF: "6M",
    RCLONE_RETRIES: "1",
    RCLONE_LOW_LEVEL_RETRIES: "1",
  };
  writeFileSync(environment.RCLONE_CONFIG, "");
  const run = (...args: string[]) => runClient(rclone as string, args, environment);
  await run("mkdir", "vault:rclone");
  await run("copy", folder, "vault:rclone/up");
  await run("check", "--download", folder, "vault:rclone/up");
  expect(
    (await run("lsf", "--recursive", "--files-only", "vault:rclone/up")).trim().split("\n").sort(),
  ).toEqual(paths());
  await run("copyto", "vault:rclone/up/large", "vault:rclone/server-side copy");
  const copy = join(scratch, "rclone-copy");
  await run("sync", "vault:rclone/up", copy);
  expectSameFiles(copy);
  const part = await run("cat", "--offset", "300", "--count", "10", "vault:rclone/up/small.bin");
  expect(part.length).toBeGreaterThan(0);
  const url = (await run("link", "--expire", "1m", "vault:rclone/server-side copy")).trim();
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  expect(sha256Hex(Buffer.from(await answer.arrayBuffer()))).toBe(sha256Hex(bodies.get("large") as Buffer));
  await run("purge", "vault:rclone");
  expect(await run("lsd", "vault:")).not.toContain("rclone");
});
