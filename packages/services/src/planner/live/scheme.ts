import type { Live, LiveScheme } from "@stashlight/contracts/planner";
import { allNamed } from "../../all-named.ts";
import { selectSeries } from "../../metrics/query/select.ts";
import { known, metricSource, readGrowth, type Scope, unknown } from "./metric-sources.ts";

/** A ratio further than this from a whole number of data shards was not measured over whole uploads. */
const DEVIATION_MAX = 0.25;

/**
 * Derives the scheme from pods and bytes: an upload has a shard on each pod of its vault, and n/k bytes of shards on
 * the stash per byte.
 */
export async function readScheme(scope: Scope): Promise<Live<LiveScheme>> {
  const question = { ...scope, nodeIds: [...scope.nodeIds], where: {} };
  const { unpurged, uploaded, written } = await allNamed({
    unpurged: selectSeries(scope.ctx.platform.metrics, {
      ...question,
      metric: "stashlight_stash_unpurged_shards",
    }),
    uploaded: readGrowth(scope, { metric: "stashlight_upload_bytes_total", where: { path: ["stash"] } }),
    written: readGrowth(scope, {
      metric: "stashlight_shard_written_bytes_total",
      where: { tier: ["stash"] },
    }),
  });
  const pods = new Set(unpurged.map(({ labels }) => labels.pod)).size;
  if (pods < 2) return unknown("No stash drive reported the vault's pods in this period.");
  if (uploaded.total === 0 || written.total === 0) {
    return unknown(
      "The scheme is counted from uploads through the stash in whole minutes, and this period has none.",
    );
  }
  const data = (pods * uploaded.total) / written.total;
  const dataShards = Math.round(data);
  if (Math.abs(data - dataShards) > DEVIATION_MAX || dataShards < 1 || dataShards >= pods) {
    return unknown(
      `${pods} pods and ${(written.total / uploaded.total).toFixed(2)} bytes of shards per uploaded byte fit no scheme; choose one.`,
    );
  }
  const source = metricSource(scope, [uploaded.origin, written.origin], {
    source: `${pods} pods have a shard of each upload, and stash drives wrote ${(written.total / uploaded.total).toFixed(2)} bytes of shards per uploaded byte`,
    n: pods,
    nUnit: "pods",
    range: null,
  });
  return known({ ...source, dataShards, parityShards: pods - dataShards });
}
