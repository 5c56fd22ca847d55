/**
 * The SQL of the metric store, for each storage profile. They differ only in how tables are partitioned by time and
 * distributed by node; every query is the same, because each key contains `node_id` and `ts` and no table has a foreign
 * key or a trigger.
 *
 * The schema belongs to the runtime role. Retention detaches partitions without locking their table, which only the
 * table's owner may do, and which no function can do because it ends a transaction midway. These tables need no
 * protection from the product itself. The audit log is in another schema with another owner.
 */
import { DAY_MS } from "@stashlight/contracts/time/duration";
import { runtimeRole } from "../migrate/runtime-role.ts";
import type { StorageProfile } from "../migrate/storage-profile.ts";
import { PARTITION_DAYS, PARTITIONS_AHEAD, RETENTION_MS } from "./retention.ts";
import { type MetricTable, metricTables } from "./table-definitions.ts";

export const metricSchema = "metric";

/** Not partitioned by time: these tables grow with nodes and series, not with age. */
const SMALL_TABLES: readonly { readonly name: string; readonly body: readonly string[] }[] = [
  {
    name: "series",
    body: [
      "node_id uuid NOT NULL",
      "id integer NOT NULL",
      "metric text NOT NULL",
      "kind text NOT NULL",
      "unit text NOT NULL",
      "labels jsonb NOT NULL",
      "tier text GENERATED ALWAYS AS (labels ->> 'tier') STORED",
      "device text GENERATED ALWAYS AS (labels ->> 'device') STORED",
      "PRIMARY KEY (node_id, id)",
      "UNIQUE (node_id, metric, labels)",
    ],
  },
  {
    name: "sample_layout",
    body: [
      "node_id uuid NOT NULL",
      "id integer NOT NULL",
      "series_ids integer[] NOT NULL",
      "gauge_count integer NOT NULL",
      "digest bytea NOT NULL",
      "PRIMARY KEY (node_id, id)",
      "UNIQUE (node_id, digest)",
    ],
  },
  {
    name: "node_state",
    body: [
      "node_id uuid NOT NULL PRIMARY KEY",
      "newest timestamptz NOT NULL",
      "window_ms integer NOT NULL",
      "is_simulated boolean NOT NULL",
    ],
  },
  {
    name: "rollup_due",
    body: [
      "node_id uuid NOT NULL",
      "level smallint NOT NULL",
      "ts timestamptz NOT NULL",
      "marks bigint NOT NULL DEFAULT 1",
      "PRIMARY KEY (node_id, level, ts)",
    ],
  },
  {
    name: "rollup_watermark",
    body: [
      "node_id uuid NOT NULL",
      "level smallint NOT NULL",
      "ts timestamptz NOT NULL",
      "PRIMARY KEY (node_id, level)",
    ],
  },
  {
    name: "gap",
    body: [
      "node_id uuid NOT NULL",
      "start_ts timestamptz NOT NULL",
      "end_ts timestamptz NOT NULL",
      "reason text NOT NULL",
      "PRIMARY KEY (node_id, start_ts, end_ts, reason)",
    ],
  },
  {
    name: "refused",
    body: [
      "node_id uuid NOT NULL",
      "metric text NOT NULL",
      "reason text NOT NULL",
      "count bigint NOT NULL",
      "last_at timestamptz NOT NULL",
      "PRIMARY KEY (node_id, metric, reason)",
    ],
  },
];

/** Sampled uploads, kept as long as raw windows; too few rows to be partitioned by time. */
const TRACE_TABLE: (typeof SMALL_TABLES)[number] = {
  name: "upload_trace",
  body: [
    "node_id uuid NOT NULL",
    "ts timestamptz NOT NULL",
    "upload_id text NOT NULL",
    "path text NOT NULL",
    "result text NOT NULL",
    "size_bytes bigint NOT NULL",
    "total_seconds double precision NOT NULL",
    "payload jsonb NOT NULL",
    "PRIMARY KEY (node_id, ts, upload_id)",
  ],
};

/** Fleets and their members, which are nodes or fleets of one vault. Small, and joined in every roll-up. */
const FLEET_TABLES: typeof SMALL_TABLES = [
  {
    name: "fleet",
    body: [
      "node_id uuid NOT NULL PRIMARY KEY",
      "vault text NOT NULL",
      "is_simulated boolean NOT NULL",
      "UNIQUE (vault, is_simulated)",
    ],
  },
  { name: "fleet_member", body: ["node_id uuid NOT NULL PRIMARY KEY", "fleet_id uuid NOT NULL"] },
];

const createTable = (name: string, body: readonly string[], suffix = ""): string =>
  `CREATE TABLE ${metricSchema}.${name} (\n  ${body.join(",\n  ")}\n)${suffix};`;

const tableBody = ({ columns, key }: MetricTable): string[] => [...columns, `PRIMARY KEY (${key})`];

/** Creates the missing partitions from two days ago to some time ahead, and returns their number. */
function partitionFunction(): string {
  const rows = metricTables.map(
    ({ name, resolution }) => `('${name}', ${PARTITION_DAYS[resolution]}, ${PARTITIONS_AHEAD[resolution]})`,
  );
  const sinceDays = RETENTION_MS.raw / DAY_MS;
  return `CREATE FUNCTION ${metricSchema}.ensure_partitions(at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog AS $body$
DECLARE
  part record;
  begins timestamptz;
  name text;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('${metricSchema}.ensure_partitions'));
  FOR part IN
    SELECT t.name, t.days, i AS number
      FROM (VALUES
        ${rows.join(",\n        ")}
      ) AS t (name, days, ahead),
      generate_series(
        floor((extract(epoch FROM at) / 86400 - ${sinceDays}) / t.days)::integer,
        floor(extract(epoch FROM at) / 86400 / t.days)::integer + t.ahead
      ) AS i
  LOOP
    begins := to_timestamp(part.number::double precision * part.days * 86400);
    name := format('%s_p%s', part.name, to_char(begins AT TIME ZONE 'UTC', 'YYYYMMDD'));
    CONTINUE WHEN to_regclass(format('${metricSchema}.%I', name)) IS NOT NULL;
    EXECUTE format('CREATE TABLE ${metricSchema}.%I (LIKE ${metricSchema}.%I INCLUDING ALL)', name, part.name);
    EXECUTE format('ALTER TABLE ${metricSchema}.%I ATTACH PARTITION ${metricSchema}.%I FOR VALUES FROM (%L) TO (%L)',
      part.name, name, begins, begins + make_interval(secs => part.days * 86400));
    made := made + 1;
  END LOOP;
  RETURN made;
END;
$body$;`;
}

const partitioned = (): string[] => [
  ...metricTables.map((table) => createTable(table.name, tableBody(table), " PARTITION BY RANGE (ts)")),
  partitionFunction(),
];

const timescaleTables = (): string[] => [
  ...metricTables.flatMap((table) => [
    createTable(table.name, tableBody(table)),
    `SELECT public.create_hypertable('${metricSchema}.${table.name}', public.by_range('ts', INTERVAL '${PARTITION_DAYS[table.resolution]} days'), create_default_indexes => false);`,
  ]),
  // Chunks are created automatically, and the retention job drops them. A policy would also drop windows that are not
  // rolled up yet, and only one of the extension's editions has policies.
  `CREATE FUNCTION ${metricSchema}.ensure_partitions(at timestamptz) RETURNS integer LANGUAGE sql RETURN 0;`,
];

/** Roll-ups take marks under locks, which works badly across machines, so these tables stay on one. */
const CENTRAL_TABLES = ["rollup_due", "rollup_watermark"];

function distribute(name: string): string {
  const beside = name === "series" ? "" : `, colocate_with => '${metricSchema}.series'`;
  return `SELECT create_distributed_table('${metricSchema}.${name}', 'node_id'${beside});`;
}

const distributed = (): string[] =>
  [...SMALL_TABLES, ...metricTables]
    .filter(({ name }) => !CENTRAL_TABLES.includes(name))
    .map(({ name }) => distribute(name));

const timeCut: Record<StorageProfile, () => string[]> = {
  plain: partitioned,
  timescale: timescaleTables,
  citus: () => [...partitioned(), ...distributed()],
};

/**
 * Statement that creates a schema for the script that fills it. Citus connects to its workers as the acting role, which
 * cannot see there what another role created in the same transaction, so the schema has to exist before the script.
 */
export const createSchemaSql = (name: string, profile: StorageProfile): string[] =>
  profile === "citus" ? [] : [`CREATE SCHEMA ${name} AUTHORIZATION ${runtimeRole};`];

/** The whole schema, as one script that runs in one transaction on a database without it. */
export function metricSchemaSql(profile: StorageProfile): string {
  const head = [
    `-- The metric store, profile ${profile}. Generated by packages/db/src/metrics/schema.ts.`,
    ...createSchemaSql(metricSchema, profile),
    `SET LOCAL ROLE ${runtimeRole};`,
    `CREATE SEQUENCE ${metricSchema}.id AS integer;`,
    ...SMALL_TABLES.map(({ name, body }) => createTable(name, body)),
    `CREATE INDEX series_metric_idx ON ${metricSchema}.series (metric, node_id);`,
    `CREATE INDEX rollup_due_level_ts_idx ON ${metricSchema}.rollup_due (level, ts);`,
    // Each batch updates a row of these; free space in its page lets the update avoid the index.
    `ALTER TABLE ${metricSchema}.node_state SET (fillfactor = 50);`,
    `ALTER TABLE ${metricSchema}.rollup_due SET (fillfactor = 70);`,
  ];
  const tail = [`SELECT ${metricSchema}.ensure_partitions(now());`, "RESET ROLE;"];
  return `${[...head, ...timeCut[profile](), ...tail].join("\n\n")}\n`;
}

/** The table of sampled uploads, as a script that follows the one above. */
export function traceSchemaSql(profile: StorageProfile): string {
  const { name, body } = TRACE_TABLE;
  return `${[
    `-- Sampled uploads, profile ${profile}. Generated by packages/db/src/metrics/schema.ts.`,
    `SET LOCAL ROLE ${runtimeRole};`,
    createTable(name, body),
    `CREATE INDEX upload_trace_ts_idx ON ${metricSchema}.${name} (ts);`,
    `CREATE INDEX upload_trace_upload_id_idx ON ${metricSchema}.${name} (upload_id);`,
    ...(profile === "citus" ? [distribute(name)] : []),
    "RESET ROLE;",
  ].join("\n\n")}\n`;
}

/** Fleets, as a script that follows the two above; on Citus every machine has a copy. */
export function fleetSchemaSql(profile: StorageProfile): string {
  const copied = FLEET_TABLES.map(({ name }) => `SELECT create_reference_table('${metricSchema}.${name}');`);
  return `${[
    `-- Fleets, profile ${profile}. Generated by packages/db/src/metrics/schema.ts.`,
    `SET LOCAL ROLE ${runtimeRole};`,
    ...FLEET_TABLES.map(({ name, body }) => createTable(name, body)),
    `CREATE INDEX fleet_member_fleet_id_idx ON ${metricSchema}.fleet_member (fleet_id);`,
    ...(profile === "citus" ? copied : []),
    "RESET ROLE;",
  ].join("\n\n")}\n`;
}

/**
 * The day on which series and layouts were last used, by which the retention job deletes unused ones; the same in each
 * profile. The default is a constant, so existing rows need no rewrite: they count as used on the day of the release.
 */
export function seriesUseSql(): string {
  return `${[
    "-- When series and layouts were last used. Generated by packages/db/src/metrics/schema.ts.",
    `SET LOCAL ROLE ${runtimeRole};`,
    ...["series", "sample_layout"].map(
      (name) =>
        `ALTER TABLE ${metricSchema}.${name} ADD COLUMN used_on date NOT NULL DEFAULT '${USE_IS_NOTED_SINCE}';`,
    ),
    "RESET ROLE;",
  ].join("\n\n")}\n`;
}

const USE_IS_NOTED_SINCE = "2026-11-22";
