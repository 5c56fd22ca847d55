/**
 * Reads windows and samples of a range. Data that is not yet rolled up comes from finer tables: a node's watermark in a
 * resolution is the end of its newest bucket, and later data is in the resolution below. The watermarks are read first
 * and passed to the query, so a roll-up that ends in between is neither counted twice nor missed.
 *
 * Rows come packed, one value per source, because building an object per row in the driver costs more than the query.
 *
 * Each source is read by a grouped lateral subquery, which Postgres can only answer source by source from the index. A
 * plain join leaves the choice to the planner, which chooses badly: rows since the last ANALYZE are beyond its
 * statistics, so it expects one row of the last hour, and compares each row with every source. For 1,000 nodes that
 * took 41 s.
 */
import { binaryArray, readMoment } from "./binary-array.ts";
import { RESOLUTIONS, type Resolution, type RollupResolution } from "./retention.ts";
import { rawValueAt } from "./sample-values.ts";
import { joined, type Queryable } from "./write-rows.ts";

/** End of the newest bucket in each resolution; 0 before the first. */
export type Watermarks = Readonly<Record<RollupResolution, number>>;

export const LEVELS: Readonly<Record<RollupResolution, number>> = { "1m": 1, "10m": 2, "1h": 3 };

export interface ReadRange {
  readonly resolution: Resolution;
  /**
   * The range is half-open; it contains a bucket if it contains the bucket's end, and a raw window if it contains its
   * middle.
   */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Half the longest span of a raw window, which ends at most this long after its middle. */
const HALF_SPAN = "interval '30 seconds'";
const MIDDLE = "r.ts - r.span_ms * interval '0.5 milliseconds'";
const watermarkColumn: Readonly<Record<RollupResolution, string>> = {
  "1m": "w1m",
  "10m": "w10m",
  "1h": "w1h",
};

/** This resolution and all finer ones, which together answer a query. */
const resolutionsDownTo = (resolution: Resolution): Resolution[] =>
  RESOLUTIONS.slice(0, RESOLUTIONS.indexOf(resolution) + 1).toReversed();

/** Part of a range that one resolution answers, as a condition on its rows `r` and a source `s`. */
export interface Piece {
  readonly of: Resolution;
  /** SQL for the moment to which a row belongs. */
  readonly moment: string;
  readonly condition: string;
}

/**
 * Splits a range into pieces, from the requested resolution down to raw; each begins where the previous one ends.
 * Leaves out pieces that must be empty, because all sources are rolled up beyond the range, or none into it. Each is a
 * separate statement: Citus does not pass a join with a union on to its workers.
 */
export function splitRange({ resolution, fromMs, toMs }: ReadRange, sources: readonly Source[]): Piece[] {
  const downwards = resolutionsDownTo(resolution);
  return downwards.flatMap((of, i): Piece[] => {
    const coarser = downwards[i - 1] as RollupResolution | undefined;
    if (coarser !== undefined && sources.every(({ watermarks }) => watermarks[coarser] >= toMs)) return [];
    const from = (moment: string): string =>
      coarser === undefined ? "" : ` AND ${moment} > s.${watermarkColumn[coarser]}`;
    if (of !== "raw") {
      if (sources.every(({ watermarks }) => watermarks[of] <= fromMs)) return [];
      const condition = `r.ts > $1 AND r.ts <= $2${from("r.ts")} AND r.ts <= s.${watermarkColumn[of]}`;
      return [{ of, moment: "r.ts", condition }];
    }
    const condition = `r.ts > $1 AND r.ts <= $2::timestamptz + ${HALF_SPAN}${from("r.ts")}
        AND ${MIDDLE} > $1 AND ${MIDDLE} <= $2${from(MIDDLE)}`;
    return [{ of, moment: MIDDLE, condition }];
  });
}

export const unnestSources = `unnest($3::uuid[], $4::int4[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[]`;
export const sourceColumns = "node_id, id, w1m, w10m, w1h";

interface Source {
  readonly nodeId: string;
  readonly watermarks: Watermarks;
}

export interface HistogramSource extends Source {
  readonly seriesId: number;
}

export const parameters = (
  range: ReadRange,
  sources: readonly Source[],
  ids: readonly number[],
): unknown[] => [
  new Date(range.fromMs),
  new Date(range.toMs),
  binaryArray.uuid(sources.map(({ nodeId }) => nodeId)),
  binaryArray.int4(ids),
  ...(["1m", "10m", "1h"] as const).map((of) =>
    binaryArray.timestamptz(sources.map(({ watermarks }) => watermarks[of])),
  ),
];

/** Returns the windows of each source, concatenated in hexadecimal; empty for a source without windows. */
export async function readHistograms(
  db: Queryable,
  range: ReadRange,
  sources: readonly HistogramSource[],
): Promise<string[]> {
  const packed = new Array<string>(sources.length).fill("");
  for (const { of, moment, condition } of splitRange(range, sources)) {
    const { rows } = await db.query<PackedSource>(
      `SELECT s.place, d.packed FROM ${unnestSources}) WITH ORDINALITY AS s (${sourceColumns}, place)
        CROSS JOIN LATERAL (
          SELECT encode(string_agg(timestamptz_send(${moment}) || float8send(r.n) || float8send(r.sum)
                   || float8send(r.min) || float8send(r.max) || int4send(length(r.buckets)) || r.buckets, ''), 'hex') AS packed
            FROM metric.hist_${of} AS r
           WHERE r.node_id = s.node_id AND r.series_id = s.id AND ${condition}
           GROUP BY r.node_id) AS d`,
      parameters(
        range,
        sources,
        sources.map(({ seriesId }) => seriesId),
      ),
    );
    append(packed, rows);
  }
  return packed;
}

/** Returns each series' highest p99 of any window or bucket, in one resolution; 0 without data. */
export async function highestP99s(
  db: Queryable,
  { resolution, fromMs, toMs }: ReadRange,
  sources: readonly Pick<HistogramSource, "nodeId" | "seriesId">[],
): Promise<number[]> {
  const { rows } = await db.query<{ place: string; p99: number }>(
    `SELECT s.place, d.p99 FROM unnest($1::uuid[], $2::int4[]) WITH ORDINALITY AS s (node_id, id, place)
      CROSS JOIN LATERAL (
        SELECT max(r.p99) AS p99 FROM metric.hist_${resolution} AS r
         WHERE r.node_id = s.node_id AND r.series_id = s.id AND r.ts > $3 AND r.ts <= $4
         GROUP BY r.node_id) AS d`,
    [
      binaryArray.uuid(sources.map(({ nodeId }) => nodeId)),
      binaryArray.int4(sources.map(({ seriesId }) => seriesId)),
      new Date(fromMs),
      new Date(toMs),
    ],
  );
  const highest = new Array<number>(sources.length).fill(0);
  for (const { place, p99 } of rows) highest[Number(place) - 1] = p99;
  return highest;
}

export interface PackedWindow {
  readonly atMs: number;
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  /** Position of its buckets in `bytes`. */
  readonly bucketsStart: number;
  readonly bucketsEnd: number;
}

const WINDOW_HEAD_BYTES = 44;

export function* unpackHistograms(bytes: Buffer): Generator<PackedWindow> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; ) {
    const bucketsStart = at + WINDOW_HEAD_BYTES;
    const bucketsEnd = bucketsStart + view.getInt32(at + 40);
    yield {
      atMs: readMoment(view, at),
      count: view.getFloat64(at + 8),
      sum: view.getFloat64(at + 16),
      min: view.getFloat64(at + 24),
      max: view.getFloat64(at + 32),
      bucketsStart,
      bucketsEnd,
    };
    at = bucketsEnd;
  }
}

export interface SampleSource extends Source {
  readonly layoutId: number;
  /** Positions among the layout's series of that kind, from 1. */
  readonly places: readonly number[];
  /** Offset of the first position in a raw row; counters follow the gauges. */
  readonly rawOffset: number;
  /** Position in the layout at which narrow values begin; see `SampleOrder`. */
  readonly narrowAfter: number;
}

/**
 * Packed content of each position: the value for a raw row and for counters, the stored aggregates for a gauge's
 * bucket.
 */
const gaugeFields = ["counts", "sums", "mins", "maxs", "lasts"] as const;

/** Up to this many positions are separate columns, because traversing an array in every row takes twice as long. */
const PLACE_COLUMNS_MAX = 8;

/**
 * Decompresses the arrays of a row once. Long ones are stored compressed, and each access would decompress them again.
 * Concatenating nothing returns an array unchanged, or an empty one for null, and the offset keeps the planner from
 * repeating that for each position.
 */
const unpacked = (fields: readonly string[]): string =>
  `SELECT ${fields.map((field) => `r.${field} || '{}' AS ${field}`).join(", ")} OFFSET 0`;

export async function readSamples(
  db: Queryable,
  kind: "gauge" | "counter",
  range: ReadRange,
  sources: readonly SampleSource[],
): Promise<string[]> {
  const places = samplePlaces(sources);
  const types = ["int4[]", "int4[]", ...places.names.map(() => "int4[]")];
  const unnested = types.map((type, i) => `$${8 + i}::${type}`).join(", ");
  const layoutIds = sources.map(({ layoutId }) => layoutId);
  const all = [
    ...parameters(range, sources, layoutIds),
    binaryArray.int4(sources.map(({ rawOffset }) => rawOffset)),
    binaryArray.int4(sources.map(({ narrowAfter }) => narrowAfter)),
    ...places.values,
  ];
  const packed = new Array<string>(sources.length).fill("");
  for (const { of, moment, condition } of splitRange(range, sources)) {
    const fields = kind === "gauge" && of !== "raw" ? gaugeFields : (["values"] as const);
    const picked = places.pick(`$${8 + types.length}`, (place) =>
      of === "raw"
        ? `float8send(${rawValueAt("v", "s.narrow_after", `(${place} + s.raw_offset)`)})`
        : fields.map((field) => `float8send(v.${field}[${place}])`).join(" || "),
    );
    const { rows } = await db.query<PackedSource>(
      `SELECT s.place, d.packed FROM ${unnestSources}, ${unnested})
              WITH ORDINALITY AS s (${sourceColumns}, raw_offset, narrow_after, ${places.names.join(", ")}, place)
        CROSS JOIN LATERAL (
          SELECT encode(string_agg(timestamptz_send(${moment}) || int4send(${fields.length}) || ${picked}, ''), 'hex') AS packed
            FROM metric.${of === "raw" ? "sample_raw" : `${kind}_${of}`} AS r
           CROSS JOIN LATERAL (${unpacked(of === "raw" ? ["values", "narrow"] : fields)}) AS v
           WHERE r.node_id = s.node_id AND r.layout_id = s.id AND ${condition}
           GROUP BY r.node_id) AS d`,
      all,
    );
    append(packed, rows);
  }
  return packed;
}

interface Places {
  /** Columns of the source table. */
  readonly names: readonly string[];
  readonly values: readonly unknown[];
  /** SQL that concatenates the output of `pack` for each position. */
  pick(parameter: string, pack: (place: string) => string): string;
}

/** Uses columns for few positions; otherwise a slice of one array for each source. */
function samplePlaces(sources: readonly SampleSource[]): Places {
  const columns = placeColumns(sources);
  if (columns !== null) {
    return {
      names: columns.map((_, i) => `p${i}`),
      values: columns.map((places) => binaryArray.int4(places)),
      pick: (_, pack) => columns.map((_, i) => pack(`s.p${i}`)).join(" || "),
    };
  }
  const { all, firsts, lasts } = joined(sources.map(({ places }) => places));
  return {
    names: ["place_first", "place_last"],
    values: [binaryArray.int4(firsts), binaryArray.int4(lasts), binaryArray.int4(all)],
    pick: (parameter, pack) =>
      `(SELECT string_agg(${pack("p")}, '') FROM unnest((${parameter}::int4[])[s.place_first:s.place_last]) AS p)`,
  };
}

/** For each ordinal, the position of every source; null if there are many, or sources differ in their number. */
function placeColumns(sources: readonly SampleSource[]): number[][] | null {
  const count = sources[0]?.places.length ?? 0;
  if (count === 0 || count > PLACE_COLUMNS_MAX) return null;
  if (sources.some(({ places }) => places.length !== count)) return null;
  return Array.from({ length: count }, (_, i) => sources.map(({ places }) => places[i] as number));
}

export interface PackedSample {
  readonly atMs: number;
  /** Index of the source. */
  readonly place: number;
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly last: number;
}

/** One sample per position and row. */
export function* unpackSamples(bytes: Buffer, placeCount: number): Generator<PackedSample> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  while (at < bytes.length) {
    const atMs = readMoment(view, at);
    const width = view.getInt32(at + 8);
    at += 12;
    for (let place = 0; place < placeCount; place += 1, at += 8 * width) {
      const first = view.getFloat64(at);
      if (width === 1) {
        yield { atMs, place, count: 1, sum: first, min: first, max: first, last: first };
      } else {
        const [sum, min, max] = [view.getFloat64(at + 8), view.getFloat64(at + 16), view.getFloat64(at + 24)];
        yield { atMs, place, count: first, sum, min, max, last: view.getFloat64(at + 32) };
      }
    }
  }
}

interface PackedSource {
  readonly place: string;
  readonly packed: string;
}

function append(packed: string[], rows: readonly PackedSource[]): void {
  for (const { place, packed: more } of rows) packed[Number(place) - 1] += more;
}
