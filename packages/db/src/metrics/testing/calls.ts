/**
 * Calls every function of the metric store, so that each of its statements can be inspected and run on each engine. A
 * function of the store without a call here fails the test beside this folder.
 */
import { randomUUID } from "node:crypto";
import { copyHistogramBuckets, copySampleBuckets } from "../copy-buckets.ts";
import { copyHistograms, copySamples } from "../copy-rows.ts";
import * as store from "../index.ts";

type Connection = store.MetricConnection;

const nodeId = randomUUID();
const otherId = randomUUID();
const seriesId = 1;
const layoutId = 2;
const RESOLUTIONS = ["1m", "10m", "1h"] as const;

/** A moment within partitions that is also the end of a bucket of every resolution. */
const tsMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;
const mark = { nodeId, tsMs };
const labels = { device: "s1" };

function histogram(): store.HistogramColumns {
  const rows = store.emptyHistogramColumns();
  rows.nodeIds.push(nodeId);
  rows.seriesIds.push(seriesId);
  rows.tsMs.push(tsMs);
  for (const column of [rows.n, rows.sum, rows.min, rows.max, rows.p50, rows.p99, rows.p999]) column.push(1);
  rows.buckets.push(Buffer.from([1, 1]));
  return rows;
}

const later = (rows: store.HistogramColumns): store.HistogramColumns => ({ ...rows, tsMs: [tsMs - 10_000] });
const sample = { nodeId, layoutId, spanMs: 10_000, tsMs, values: [1], narrow: [2] };
const bucket = {
  nodeId,
  layoutId,
  gauges: { counts: [1], sums: [1], mins: [1], maxs: [1], lasts: [1] },
  increases: [1],
};
const watermarks = { "1m": 0, "10m": 0, "1h": 0 };
const source = { nodeId, seriesId, watermarks };
const samples = { nodeId, layoutId, watermarks, rawOffset: 0, narrowAfter: 0 };
const range = (resolution: store.ReadRange["resolution"]): store.ReadRange => ({
  resolution,
  fromMs: tsMs - 3_600_000,
  toMs: tsMs,
});
const all = ["raw", ...RESOLUTIONS] as const;

const inTurn = async <Each>(each: readonly Each[], action: (one: Each) => Promise<unknown>) => {
  for (const one of each) await action(one);
};

/** Keyed by the function's name, ordered so that the rows that a call reads already exist. */
export const calls: Readonly<Record<string, (connection: Connection) => Promise<unknown>>> = {
  ensurePartitions: (db) => store.ensurePartitions(db, new Date(tsMs)),
  readStorageProfile: (db) => store.readStorageProfile(db),
  readTableSizes: async (db) => store.readTableSizes(db, await store.readStorageProfile(db)),
  readRowRate: (db) => store.readRowRate(db, new Date(tsMs)),
  readRollUpLags: (db) => store.readRollUpLags(db, new Date(tsMs)),
  lockSeries: (db) => store.lockSeries(db, [nodeId]),
  useSeries: (db) =>
    store.useSeries(
      db,
      [
        {
          nodeId,
          id: seriesId,
          metric: "stashlight_fsync_seconds",
          kind: "histogram",
          unit: "seconds",
          labels,
        },
      ],
      store.dayNumber(tsMs),
    ),
  useLayouts: (db) =>
    store.useLayouts(
      db,
      [{ nodeId, id: layoutId, seriesIds: [seriesId], gaugeCount: 1, narrowAfter: 0 }],
      store.dayNumber(tsMs),
    ),
  findLayoutIds: (db) =>
    store.findLayoutIds(db, [{ nodeId, seriesIds: [seriesId], gaugeCount: 1, narrowAfter: 0 }]),
  readSeries: (db) => store.readSeries(db, [nodeId], 10),
  countSeries: (db) => store.countSeries(db),
  countLayouts: (db) => store.countLayouts(db, [nodeId]),
  noteBatches: (db) => store.noteBatches(db, [{ nodeId, tsMs, bootId: 1, sequence: 1 }]),
  copyHistograms: (db) => copyHistograms(db, histogram(), [10_000]),
  copySamples: (db) => copySamples(db, [sample]),
  insertHistograms: (db) => store.insertHistograms(db, later(histogram()), [10_000]),
  insertSamples: (db) => store.insertSamples(db, [{ ...sample, tsMs: tsMs - 10_000 }]),
  insertGaps: (db) =>
    store.insertGaps(db, [{ nodeId, startMs: tsMs, endMs: tsMs + 1000, reason: "spool_full" }]),
  markDue: (db) => store.markDue(db, store.LEVELS["1m"], [mark]),
  countRefused: (db) => store.countRefused(db, [{ nodeId, metric: "m", reason: "r", count: 1 }], tsMs),
  updateNodeStates: (db) =>
    store.updateNodeStates(db, [{ nodeId, newestMs: tsMs, windowMs: 10_000, isSimulated: false }]),
  takeDue: (db) => store.takeDue(db, store.LEVELS["1m"], tsMs, 10),
  readDueHistograms: (db) => inTurn(RESOLUTIONS, (each) => store.readDueHistograms(db, each, [mark])),
  replaceHistograms: (db) => inTurn(RESOLUTIONS, (each) => store.replaceHistograms(db, each, histogram())),
  rollUpSamples: (db) => inTurn(RESOLUTIONS, (each) => store.rollUpSamples(db, each, [mark])),
  markFleets: (db) => inTurn(RESOLUTIONS, (each) => store.markFleets(db, each, [mark])),
  raiseWatermarks: (db) => inTurn(RESOLUTIONS, (each) => store.raiseWatermarks(db, each, [mark])),
  mostFleetMembers: (db) => store.mostFleetMembers(db),
  readFleetParts: (db) => inTurn(RESOLUTIONS, (each) => store.readFleetParts(db, each, [mark])),
  readFleetSamples: (db) =>
    inTurn(RESOLUTIONS, async (each) => {
      await store.readFleetSamples(db, "gauge", each, [mark]);
      await store.readFleetSamples(db, "counter", each, [mark]);
    }),
  readLayoutNames: (db) => store.readLayoutNames(db, [{ nodeId, layoutId }]),
  replaceFleetSamples: (db) =>
    inTurn(RESOLUTIONS, (each) => store.replaceFleetSamples(db, each, [mark], [{ ...bucket, tsMs }])),
  copyHistogramBuckets: (db) =>
    inTurn(RESOLUTIONS, (each) => copyHistogramBuckets(db, each, later(histogram()))),
  copySampleBuckets: (db) =>
    inTurn(RESOLUTIONS, (each) => copySampleBuckets(db, each, [{ ...bucket, tsMs: tsMs - 10_000 }])),
  findSeries: async (db) => {
    await store.findSeries(db, "stashlight_fsync_seconds", undefined);
    await store.findSeries(db, "stashlight_fsync_seconds", [nodeId]);
  },
  findNodes: (db) => store.findNodes(db, [nodeId, otherId]),
  findLayouts: (db) => store.findLayouts(db, [nodeId]),
  findDevices: (db) => store.findDevices(db, ["s3", "stash-1"]),
  findGaps: (db) => store.findGaps(db, [nodeId], { fromMs: tsMs, toMs: tsMs + 1000 }, 10),
  newestHistogramMs: (db) => store.newestHistogramMs(db, [{ nodeId, seriesId, labels }]),
  earliestWindowMs: (db) => store.earliestWindowMs(db),
  areFleetsPending: (db) => store.areFleetsPending(db),
  findFleetSeries: async (db) => {
    await store.findFleetSeries(db, "stashlight_fsync_seconds", null, tsMs - 1);
    await store.findFleetSeries(db, "stashlight_fsync_seconds", "sum", tsMs - 1);
  },
  readHistograms: (db) => inTurn(all, (each) => store.readHistograms(db, range(each), [source])),
  highestP99s: (db) => inTurn(all, (each) => store.highestP99s(db, range(each), [source])),
  readSamples: (db) =>
    inTurn(all, async (each) => {
      await store.readSamples(db, "gauge", range(each), [{ ...samples, places: [1] }]);
      await store.readSamples(db, "counter", range(each), [{ ...samples, places: [1] }]);
      const many = Array.from({ length: 20 }, () => 1);
      await store.readSamples(db, "gauge", range(each), [{ ...samples, places: many }]);
    }),
  findSlowWindows: (db) =>
    inTurn(all, (each) =>
      store.findSlowWindows(db, range(each), [source], { above: 0, order: "worst", countMax: 5 }),
    ),
  insertTraces: (db) =>
    store.insertTraces(db, [
      {
        nodeId,
        startedAtMs: tsMs,
        uploadId: "u",
        path: "stash",
        result: "stored",
        sizeBytes: 1,
        totalSeconds: 1,
        payload: "{}",
      },
    ]),
  findTraces: (db) =>
    store.findTraces(db, {
      fromMs: tsMs,
      toMs: tsMs + 1,
      vaults: ["main"],
      path: null,
      isStored: null,
      countMax: 5,
    }),
  findTrace: (db) => store.findTrace(db, "u"),
  findUploads: (db) => store.findUploads(db, ["photos"], 5),
  findUploadElsewhere: (db) => store.findUploadElsewhere(db, ["benchmarks"]),
  newestTrace: (db) => store.newestTrace(db, ["main"]),
  deleteTracesBefore: (db) => store.deleteTracesBefore(db, new Date(0)),
  findArrivals: (db) => store.findArrivals(db),
  findRefused: (db) => store.findRefused(db, 5),
  rolledUpNodes: (db) => store.rolledUpNodes(db, [nodeId]),
  views: (db) => inTurn(store.metricViews, (each) => db.query(`SELECT node, ts FROM bi."${each}" LIMIT 1`)),
  forgetUnused: (db) => store.forgetUnused(db, new Date(tsMs)),
  forgetNodes: (db) => store.forgetNodes(db, [nodeId]),
};
