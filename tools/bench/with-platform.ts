/** A platform on a database of its own, for benches of the product's services. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedPostgres } from "@stashlight/db/embedded";
import { migrateDatabase } from "@stashlight/db/migrate";
import { openPlatform, type Platform } from "@stashlight/services/platform";

export async function withPlatform<Result>(use: (platform: Platform) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), "stashlight-bench-"));
  const postgres = await openEmbeddedPostgres({ directory });
  try {
    await migrateDatabase({ ownerUrl: postgres.ownerUrl });
    const platform = openPlatform({
      kind: "bench",
      databaseUrl: postgres.runtimeUrl,
      secret: randomUUID(),
      publicUrl: "http://bench.test",
      dataDirectory: null,
      oidc: null,
    });
    try {
      return await use(platform);
    } finally {
      await platform.close();
    }
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
