import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tool } from "../tool.ts";
import { createBucket, removeBucket } from "./bucket.ts";
import { PostgresCluster } from "./postgres-cluster.ts";

const ROW_COUNT = 150_000;

export const pgbackrest: Tool = {
  id: "pgbackrest",
  name: "pgBackRest (Debian 12)",
  source: { kind: "Debian", packages: ["pgbackrest", "postgresql-15"] },
  isQuick: false,
  needsTls: true,
  job: "archives a Postgres cluster: `check`, full and incremental `backup`, `verify`, `expire`, `restore`, all rows compared",
  workaround: "an endpoint with TLS; `repo1-s3-uri-style=path`",
  version: async ({ run, program }) => (await run(program("pgbackrest"), ["version"])).split(" ")[1] ?? "",
  async run({ run, vault, bucket }) {
    await createBucket(vault, bucket);
    // The folder of the job is below one that only its owner may enter, and the server runs as another user.
    const folder = await mkdtemp(join(tmpdir(), "compatibility-"));
    const cluster = new PostgresCluster({ run, vault, bucket }, folder);
    try {
      await cluster.create();
      await backUpAndRestore(cluster);
    } finally {
      await cluster.stop().catch(() => {});
      await rm(folder, { recursive: true, force: true });
    }
    await removeBucket(vault, bucket);
  },
};

async function backUpAndRestore(cluster: PostgresCluster): Promise<void> {
  await cluster.backrest("stanza-create");
  await cluster.backrest("check");
  await cluster.addRows("first", ROW_COUNT);
  await cluster.backrest("--type=full", "backup");
  await cluster.addRows("second", ROW_COUNT);
  await cluster.backrest("--type=incr", "backup");
  await cluster.backrest("verify");
  await cluster.backrest("--type=full", "backup");
  await cluster.backrest("--repo1-retention-full=1", "expire");
  await cluster.addRows("in the archive only", ROW_COUNT);
  const rows = await cluster.readRows();
  await cluster.stop();
  await cluster.lose();
  await cluster.backrest("restore");
  await cluster.start();
  assert.match(rows, new RegExp(`^${3 * ROW_COUNT} [0-9a-f]{32}$`));
  assert.equal(await cluster.readRows(), rows);
}
