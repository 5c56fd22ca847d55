/** Sampled uploads: one row each, kept for as long as raw windows. */
import type { Queryable } from "./write-rows.ts";

export interface StoredTrace {
  readonly nodeId: string;
  readonly startedAtMs: number;
  readonly uploadId: string;
  readonly path: string;
  readonly result: string;
  readonly sizeBytes: number;
  readonly totalSeconds: number;
  /** The coordinator's report as JSON. */
  readonly payload: string;
}

/** Inserts traces; leaves existing ones unchanged. */
export async function insertTraces(db: Queryable, traces: readonly StoredTrace[]): Promise<void> {
  if (traces.length === 0) return;
  const column = <Value>(pick: (trace: StoredTrace) => Value) => traces.map(pick);
  await db.query(
    `INSERT INTO metric.upload_trace (node_id, ts, upload_id, path, result, size_bytes, total_seconds, payload)
     SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::int8[],
       $7::float8[], $8::jsonb[]) AS t (node_id, ts, upload_id, path, result, size_bytes, total_seconds, payload)
      ORDER BY node_id, ts, upload_id
     ON CONFLICT (node_id, ts, upload_id) DO NOTHING`,
    [
      column(({ nodeId }) => nodeId),
      column(({ startedAtMs }) => new Date(startedAtMs)),
      column(({ uploadId }) => uploadId),
      column(({ path }) => path),
      column(({ result }) => result),
      column(({ sizeBytes }) => sizeBytes),
      column(({ totalSeconds }) => totalSeconds),
      column(({ payload }) => payload),
    ],
  );
}

export interface FoundTrace {
  readonly nodeName: string;
  readonly vault: string | null;
  readonly isSimulated: boolean;
  readonly startedAt: Date;
  readonly uploadId: string;
  readonly path: string;
  readonly result: string;
  readonly sizeBytes: number;
  readonly totalSeconds: number;
  readonly payload: unknown;
}

const foundColumns = `t.node_id AS "nodeId", t.ts AS "startedAt", t.upload_id AS "uploadId", t.path, t.result,
  t.size_bytes::float8 AS "sizeBytes", t.total_seconds AS "totalSeconds"`;

type NamelessTrace = Omit<FoundTrace, "nodeName" | "vault" | "isSimulated"> & { readonly nodeId: string };

/** Adds nodes by a separate query, because nodes are on one machine while traces may be distributed. */
async function withNodes(db: Queryable, traces: readonly NamelessTrace[]): Promise<FoundTrace[]> {
  if (traces.length === 0) return [];
  const { rows } = await db.query<{ id: string; name: string; vault: string; isSimulated: boolean }>(
    `SELECT id, name, vault, is_simulated AS "isSimulated" FROM public.node WHERE id = ANY ($1::uuid[])`,
    [[...new Set(traces.map(({ nodeId }) => nodeId))]],
  );
  const nodes = new Map(rows.map((row) => [row.id, row]));
  return traces.map(({ nodeId, ...trace }) => {
    const node = nodes.get(nodeId);
    return {
      ...trace,
      nodeName: node?.name ?? nodeId,
      vault: node?.vault ?? null,
      isSimulated: node?.isSimulated ?? false,
    };
  });
}

/** The nodes of these vaults; null for all nodes. */
async function nodesIn(db: Queryable, vaults: readonly string[] | null): Promise<string[] | null> {
  if (vaults === null) return null;
  const { rows } = await db.query<{ id: string }>(
    "SELECT id FROM public.node WHERE vault = ANY ($1::text[])",
    [vaults],
  );
  return rows.map(({ id }) => id);
}

export interface TraceFilter {
  readonly fromMs: number;
  readonly toMs: number;
  /** Null for all vaults. */
  readonly vaults: readonly string[] | null;
  /** Null for all uploads. A failed upload took no path, although its trace names one. */
  readonly path: string | null;
  /** True for stored uploads only, false for failed ones only, null for all. */
  readonly isStored: boolean | null;
  readonly countMax: number;
}

/**
 * Leaves out a vault's internal records, in buckets that begin with a dot, which S3 does not allow clients.
 * Coordinators of earlier versions traced them.
 */
const intoClientsBucket = (table: string): string =>
  `left(coalesce(${table}.payload ->> 'bucket', ''), 1) <> '.'`;

/** Lists traces, slowest first; of each long payload, only the bucket is read. */
export async function findTraces(
  db: Queryable,
  { fromMs, toMs, vaults, path, isStored, countMax }: TraceFilter,
): Promise<{ traces: FoundTrace[]; totalCount: number }> {
  const { rows } = await db.query<NamelessTrace & { totalCount: number }>(
    `SELECT ${foundColumns}, jsonb_build_object('bucket', t.payload -> 'bucket') AS payload,
            (count(*) OVER ())::int AS "totalCount"
       FROM metric.upload_trace AS t
      WHERE t.ts >= $1 AND t.ts < $2 AND ($3::text IS NULL OR (t.path = $3 AND t.result = 'stored'))
        AND ${intoClientsBucket("t")}
        AND ($4::boolean IS NULL OR (t.result = 'stored') = $4) AND ($6::uuid[] IS NULL OR t.node_id = ANY ($6))
      ORDER BY t.total_seconds DESC, t.upload_id LIMIT $5`,
    [new Date(fromMs), new Date(toMs), path, isStored, countMax, await nodesIn(db, vaults)],
  );
  const totalCount = rows[0]?.totalCount ?? 0;
  const nameless = rows.map(({ totalCount: _, ...trace }) => trace);
  return { traces: await withNodes(db, nameless), totalCount };
}

/** Finds the newest trace with this upload id, which a node has chosen. */
export async function findTrace(db: Queryable, uploadId: string): Promise<FoundTrace | null> {
  const { rows } = await db.query<NamelessTrace>(
    `SELECT ${foundColumns}, t.payload FROM metric.upload_trace AS t WHERE t.upload_id = $1 ORDER BY t.ts DESC LIMIT 1`,
    [uploadId],
  );
  const [trace] = await withNodes(db, rows);
  return trace ?? null;
}

/** Finds the newest traced upload through a real node and into none of these buckets. */
export async function findUploadElsewhere(db: Queryable, buckets: readonly string[]): Promise<string | null> {
  const { rows } = await db.query<{ nodeId: string; uploadId: string; ts: Date }>(
    `SELECT DISTINCT ON (node_id) node_id AS "nodeId", upload_id AS "uploadId", ts FROM metric.upload_trace
      WHERE result = 'stored' AND ${intoClientsBucket("upload_trace")} AND payload ->> 'bucket' <> ALL ($1::text[])
      ORDER BY node_id, ts DESC`,
    [buckets],
  );
  if (rows.length === 0) return null;
  const { rows: real } = await db.query<{ id: string }>(
    "SELECT id FROM public.node WHERE id = ANY ($1::uuid[]) AND NOT is_simulated",
    [rows.map(({ nodeId }) => nodeId)],
  );
  const realIds = new Set(real.map(({ id }) => id));
  const [newest] = rows
    .filter(({ nodeId }) => realIds.has(nodeId))
    .sort((a, b) => b.ts.getTime() - a.ts.getTime());
  return newest?.uploadId ?? null;
}

export async function newestTrace(db: Queryable, vaults: readonly string[] | null): Promise<Date | null> {
  const { rows } = await db.query<{ newest: Date | null }>(
    "SELECT max(ts) AS newest FROM metric.upload_trace WHERE $1::uuid[] IS NULL OR node_id = ANY ($1)",
    [await nodesIn(db, vaults)],
  );
  return rows[0]?.newest ?? null;
}

export async function deleteTracesBefore(db: Queryable, instant: Date): Promise<number> {
  const { rowCount } = await db.query("DELETE FROM metric.upload_trace WHERE ts < $1", [instant]);
  return rowCount ?? 0;
}

export interface FoundUpload {
  readonly uploadId: string;
  readonly bucket: string;
  readonly startedAt: Date;
  readonly shardCount: number;
  /** Number of shards that their pods have synced. */
  readonly durableCount: number;
}

/** Finds the newest sampled uploads whose bucket or id contains each word. */
export async function findUploads(
  db: Queryable,
  words: readonly string[],
  countMax: number,
): Promise<FoundUpload[]> {
  const { rows } = await db.query<FoundUpload>(
    `SELECT t.upload_id AS "uploadId", t.payload ->> 'bucket' AS bucket, t.ts AS "startedAt",
            jsonb_array_length(t.payload -> 'shards') AS "shardCount",
            jsonb_array_length(jsonb_path_query_array(t.payload, '$.shards[*] ? (@.flushedUs != null)')) AS "durableCount"
       FROM metric.upload_trace AS t
      WHERE NOT EXISTS (SELECT FROM unnest($1::text[]) AS word
                         WHERE strpos(lower((t.payload ->> 'bucket') || ' ' || t.upload_id), lower(word)) = 0)
      ORDER BY t.ts DESC LIMIT $2`,
    [words, countMax],
  );
  return rows;
}
