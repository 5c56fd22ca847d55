/**
 * Definitions of the metric tables, from which the SQL of every storage profile and the upkeep of partitions derive.
 */
import { RESOLUTIONS, type Resolution } from "./retention.ts";

export interface MetricTable {
  readonly name: string;
  readonly resolution: Resolution;
  /** Columns and the primary key, which contains `node_id` and `ts`. */
  readonly columns: readonly string[];
  readonly key: string;
}

const histogramColumns = [
  "n bigint NOT NULL",
  "sum double precision NOT NULL",
  "min double precision NOT NULL",
  "max double precision NOT NULL",
  "p50 real NOT NULL",
  "p99 real NOT NULL",
  "p999 real NOT NULL",
  "buckets bytea NOT NULL",
];
const gaugeColumns = [
  "counts integer[] NOT NULL",
  "sums double precision[] NOT NULL",
  "mins double precision[] NOT NULL",
  "maxs double precision[] NOT NULL",
  "lasts double precision[] NOT NULL",
];
/**
 * Raw rows hold the levels of gauges followed by the increases of counters: one row per window, because a row and its
 * key cost as much as a dozen values. A layout lists exactly the series of its windows, so every element has a value. A
 * later migration adds a second array, for counts (`sample-values.ts`).
 */
const valuesColumn = ["values double precision[] NOT NULL"];

const spanColumn = (resolution: Resolution): string[] =>
  resolution === "raw" ? ["span_ms integer NOT NULL"] : [];

function resolutionTables(resolution: Resolution): MetricTable[] {
  const span = spanColumn(resolution);
  const wide = {
    resolution,
    key: "node_id, ts, layout_id",
  };
  const wideHead = [
    "node_id uuid NOT NULL",
    "ts timestamptz NOT NULL",
    "layout_id integer NOT NULL",
    ...span,
  ];
  return [
    {
      name: `hist_${resolution}`,
      resolution,
      key: "node_id, series_id, ts",
      columns: [
        "node_id uuid NOT NULL",
        "series_id integer NOT NULL",
        ...span,
        "ts timestamptz NOT NULL",
        ...histogramColumns,
      ],
    },
    ...(resolution === "raw"
      ? [{ ...wide, name: "sample_raw", columns: [...wideHead, ...valuesColumn] }]
      : [
          { ...wide, name: `gauge_${resolution}`, columns: [...wideHead, ...gaugeColumns] },
          { ...wide, name: `counter_${resolution}`, columns: [...wideHead, ...valuesColumn] },
        ]),
  ];
}

/** Partitioned by `ts`, which is the end of a window or bucket. */
export const metricTables: readonly MetricTable[] = [
  ...RESOLUTIONS.flatMap(resolutionTables),
  {
    name: "batch_seen",
    resolution: "raw",
    key: "node_id, ts, boot_id, sequence",
    columns: [
      "node_id uuid NOT NULL",
      "ts timestamptz NOT NULL",
      "boot_id bigint NOT NULL",
      "sequence bigint NOT NULL",
    ],
  },
];
