/** Uses a Postgres of its own, because other tests share one. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedPostgres } from "@stashlight/db/embedded";
import { migrateDatabase } from "@stashlight/db/migrate";
import { openPlatform, type Platform } from "@stashlight/services/platform";
import type { EnrolledIdentity } from "@stashlight/telemetry";
import { afterEach, expect, test, vi } from "vitest";
import { type IngestProcess, makeBatch, post, startIngestProcess } from "./testing/harness.ts";

const LONG_MS = 120_000;
const NODES = 8;
/** The rate limit of a node allows few more at once. */
const BATCHES_EACH = 50;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
}, LONG_MS);

function open(databaseUrl: string): Platform {
  const where = { kind: "ingest", databaseUrl, publicUrl: "http://ingest.test" } as const;
  return openPlatform({ ...where, secret: randomUUID(), dataDirectory: null, oidc: null });
}

/** A key in the form that enrolment creates. */
async function makeNode({ db }: Platform, name: string): Promise<EnrolledIdentity> {
  const [nodeId, key] = [randomUUID(), `slk_${randomBytes(32).toString("base64url")}`];
  const place = { name, vault: "main" };
  await db.node.create({ data: { id: nodeId, ...place, role: "pod", status: "active" } });
  const keyHash = createHash("sha256").update(key).digest("hex");
  await db.nodeKey.create({ data: { id: randomUUID(), nodeId, keyHash, lastCharacters: key.slice(-4) } });
  return { nodeId, key, ...place };
}

/** Posts a batch until the ingest no longer asks for a retry. */
async function deliver({ origin }: IngestProcess, node: EnrolledIdentity, sequence: number): Promise<void> {
  const batch = makeBatch(node, sequence, Date.now() - sequence * 10_000);
  await vi.waitFor(async () => expect((await post(origin, node.key, batch)).type).toBe("accepted"), {
    timeout: LONG_MS,
    interval: 100,
  });
}

test(
  "batches sent while Postgres restarts are all stored, each once",
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "stashlight-restart-"));
    closers.push(() => rmSync(directory, { recursive: true, force: true }));
    let postgres = await openEmbeddedPostgres({ directory, durability: "none" });
    closers.push(() => postgres.stop());
    await migrateDatabase({ ownerUrl: postgres.ownerUrl });
    const before = open(postgres.runtimeUrl);
    const names = Array.from({ length: NODES }, (_, at) => `pod-${at}`);
    const nodes = await Promise.all(names.map((name) => makeNode(before, name)));
    const ingest = await startIngestProcess({ platform: before });
    closers.push(() => ingest.child.kill("SIGKILL"));
    await before.close();

    let deliveredCount = 0;
    const lanes = nodes.map(async (node) => {
      for (let sequence = 1; sequence <= BATCHES_EACH; sequence += 1) {
        await deliver(ingest, node, sequence);
        deliveredCount += 1;
      }
    });
    await vi.waitFor(() => expect(deliveredCount).toBeGreaterThan(20), { timeout: LONG_MS });
    await postgres.stop();
    const batches = NODES * BATCHES_EACH;
    expect(deliveredCount).toBeLessThan(batches);
    postgres = await openEmbeddedPostgres({ directory, durability: "none" });
    await Promise.all(lanes);

    const after = open(postgres.runtimeUrl);
    closers.push(() => after.close());
    const { rows } = await after.metrics.query(
      `SELECT (SELECT count(*)::int FROM metric.batch_seen) AS batches,
              (SELECT count(*)::int FROM metric.hist_raw) AS windows,
              (SELECT sum(n)::int FROM metric.hist_raw) AS samples,
              (SELECT count(*)::int FROM metric.gap) AS gaps`,
    );
    expect(rows).toEqual([{ batches, windows: batches, samples: 3 * batches, gaps: 0 }]);
  },
  LONG_MS,
);
