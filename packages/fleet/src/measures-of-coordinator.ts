import { DATA_SHARD_COUNT, distribution, level, type Measures, rate, SHARD_BYTES } from "./measure.ts";
import { type FleetNode, POD_COUNT } from "./plan.ts";
import { podLiveBytes, USABLE_BYTES } from "./pod-space.ts";
import { below } from "./random.ts";
import type { ShapeName } from "./shapes.ts";
import type { VaultMoment } from "./vault-moment.ts";

const SMALL_BYTES = DATA_SHARD_COUNT * SHARD_BYTES;
const LARGE_BYTES = 5_000_000;
/** The share of uploads that are too large for the stash. */
const LARGE_SHARE = 0.06;
/** Number of an upload's shards that can be lost once all are durable. */
const MARGIN_SHARDS = 4;

/** Rebuild limit of a vault that sets none, in bytes per second. */
const REBUILD_LIMIT_BYTES = 32_000_000;

const all = ({ uploadsPerSecond }: VaultMoment): number => uploadsPerSecond;
const gets = (moment: VaultMoment): number => 1.5 * all(moment);
const lists = (moment: VaultMoment): number => all(moment) / 20;
const large = (moment: VaultMoment): number => all(moment) * LARGE_SHARE;
const small = (moment: VaultMoment): number => all(moment) - large(moment);
const halfOfSmall = (moment: VaultMoment): number => small(moment) / 2;

const times = (
  metric: Measures["histograms"][number]["metric"],
  labels: Record<string, string>,
  shape: ShapeName,
  perSecond: (moment: VaultMoment) => number,
) => distribution(metric, labels, (moment) => ({ shape, perSecond: perSecond(moment) }));

const acks = Array.from({ length: POD_COUNT }, (_, pod) =>
  times("stashlight_shard_ack_seconds", { pod: `p${pod}` }, "shardAck", (moment) =>
    moment.isPodAway && moment.missingPod === pod ? 0 : all(moment),
  ),
);

const uploads = (path: string, sizeClass: string, shape: ShapeName, perSecond: typeof all) =>
  times("stashlight_upload_seconds", { path, size_class: sizeClass }, shape, perSecond);

export function coordinatorMeasures({ index, vaultIndex }: FleetNode): Measures {
  return {
    histograms: [
      ...acks,
      uploads("stash", "to-64KiB", "smallUpload", halfOfSmall),
      uploads("stash", "to-256KiB", "smallUpload", halfOfSmall),
      uploads("direct", "to-16MiB", "largeUpload", large),
      times("stashlight_request_seconds", { operation: "PutObject" }, "smallUpload", all),
      times("stashlight_request_seconds", { operation: "GetObject" }, "get", gets),
      times("stashlight_request_seconds", { operation: "ListObjectsV2" }, "list", lists),
      times("stashlight_quorum_wait_seconds", { set: "pods" }, "podQuorum", all),
      times("stashlight_quorum_wait_seconds", { set: "stash" }, "stashQuorum", small),
      times("stashlight_encode_seconds", {}, "encode", all),
      times("stashlight_admission_wait_seconds", { operation: "PutObject" }, "encode", all),
    ],
    gauges: [
      level(
        "stashlight_client_connections",
        {},
        (moment, atMs) => Math.round(all(moment) * 0.8) + below(6, index, Math.floor(atMs / 10_000)),
      ),
      level("stashlight_durable_margin_shards", {}, ({ isPodAway }) =>
        isPodAway ? MARGIN_SHARDS - 1 : MARGIN_SHARDS,
      ),
      level("stashlight_objects_lost", {}, () => 0),
      level("stashlight_vault_taken_bytes", {}, () => DATA_SHARD_COUNT * podLiveBytes(vaultIndex)),
      level("stashlight_vault_capacity_bytes", {}, () => DATA_SHARD_COUNT * USABLE_BYTES),
      level("stashlight_vault_data_shards", {}, () => DATA_SHARD_COUNT),
      level("stashlight_vault_parity_shards", {}, () => MARGIN_SHARDS),
      level("stashlight_vault_rebuild_limit_bytes", {}, () => REBUILD_LIMIT_BYTES),
      ...Array.from({ length: POD_COUNT }, (_, pod) =>
        level("stashlight_vault_pod_settled", { pod: `p${pod}` }, ({ isPodAway, missingPod }) =>
          isPodAway && missingPod === pod ? 0 : 1,
        ),
      ),
    ],
    counters: [
      rate("stashlight_uploads_total", { path: "stash", result: "stored" }, small),
      rate("stashlight_uploads_total", { path: "direct", result: "stored" }, large),
      rate("stashlight_upload_bytes_total", { path: "stash" }, (moment) => small(moment) * SMALL_BYTES),
      rate("stashlight_upload_bytes_total", { path: "direct" }, (moment) => large(moment) * LARGE_BYTES),
      rate("stashlight_fallbacks_total", { reason: "stash full" }, () => 0),
      rate("stashlight_requests_shed_total", { operation: "PutObject", reason: "queue delay" }, () => 0),
      rate("stashlight_requests_total", { operation: "PutObject", status: "200" }, all),
      rate("stashlight_requests_total", { operation: "GetObject", status: "200" }, gets),
      rate("stashlight_requests_total", { operation: "ListObjectsV2", status: "200" }, lists),
    ],
  };
}
