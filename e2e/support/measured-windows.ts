/** Windows that the nodes of the measured vault report. */
import type { EndpointVaultState } from "@stashlight/contracts/metrics";
import {
  type DecodedWindow,
  ExponentialHistogram,
  type PackedHistogram,
  packHistogram,
  type RecordedWindow,
} from "@stashlight/telemetry";

type Histograms = DecodedWindow["histograms"][number][];

export type Content = Pick<DecodedWindow, "histograms" | "counters" | "gauges">;

const GIB = 2 ** 30;
const UPLOADS_PER_WINDOW = 1_400;
const UPLOAD_BYTES = 240_000;
/** Five bytes of shards per four bytes of uploads with 16+4, over six devices. */
const SHARD_BYTES_PER_WINDOW = (UPLOADS_PER_WINDOW * UPLOAD_BYTES * 1.25) / 6;

export const devicesOf = (letter: string, from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `${letter}${from + i}`);

type Random = () => number;

/** Pseudo-random numbers, the same in each run. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Records values around a median, with a tail that reaches several times as far. */
function recordSpread(count: number, median: number, random: Random): ExponentialHistogram {
  const histogram = new ExponentialHistogram();
  for (let i = 0; i < count; i++)
    histogram.record(median * Math.exp(0.45 * (random() + random() + random() - 1.2)));
  return histogram;
}

const VARIANT_COUNT = 8;
const variants = new Map<string, PackedHistogram[]>();

/** Picks one of a few histograms, because recording every value of every window took most of the seeding time. */
function spread(count: number, median: number, random: Random): PackedHistogram {
  const key = `${count} ${median}`;
  const known = variants.get(key) ?? [];
  const variant = Math.floor(random() * VARIANT_COUNT);
  known[variant] ??= packHistogram(recordSpread(count, median, randomFrom(variant + 1)).content());
  variants.set(key, known);
  return known[variant];
}

/** Rounded, so that windows share histograms. */
const purgeLagSeconds = (done: number) => Math.round(10 * (5 + 2 * Math.sin(done * 12))) / 10;

const hasStall = (device: string, ageMs: number) => device === "s1" && ageMs > 300_000 && ageMs < 310_001;

function stashFsync(device: string, ageMs: number, random: Random): PackedHistogram {
  if (!hasStall(device, ageMs)) return spread(400, 0.0011, random);
  const fsync = recordSpread(400, 0.0011, random);
  fsync.record(0.9);
  return packHistogram(fsync.content());
}

const unpurgedByPod = (stash: string, device: string, random: Random) =>
  devicesOf("p", 0, 20).map((pod, i) =>
    gauge(
      "stashlight_stash_unpurged_shards",
      { stash, device, pod },
      Math.round(20 + (i === 3 ? 160 : 12 * random())),
    ),
  );

export function stashWindow(stash: string, devices: readonly string[], spanMs: number, random: Random) {
  return (ageMs: number): Content => {
    const done = 1 - ageMs / spanMs;
    return {
      histograms: devices.flatMap(
        (device): Histograms => [
          {
            metric: "stashlight_fsync_seconds",
            labels: { tier: "stash", device },
            histogram: stashFsync(device, ageMs, random),
          },
          {
            metric: "stashlight_purge_lag_seconds",
            labels: { stash, device },
            histogram: spread(300, purgeLagSeconds(done), random),
          },
          {
            metric: "stashlight_commit_batch_records",
            labels: { stash, device },
            histogram: spread(400, 4, random),
          },
        ],
      ),
      counters: devices.flatMap((device) => [
        counter("stashlight_purges_accepted_total", { stash, device }, 280 + Math.round(40 * random())),
        counter(
          "stashlight_purges_refused_total",
          { stash, device, reason: "purge: unknown shard" },
          random() < 0.1 ? 4 : 0,
        ),
        counter(
          "stashlight_shards_written_total",
          { tier: "stash", device },
          290 + Math.round(30 * random()),
        ),
        counter("stashlight_shard_written_bytes_total", { tier: "stash", device }, SHARD_BYTES_PER_WINDOW),
      ]),
      gauges: [
        agentInfo("stash"),
        ...devices.flatMap((device) => {
          const used = GIB * (1.1 + 0.7 * done + 0.08 * random());
          return [
            gauge("stashlight_stash_used_bytes", { stash, device }, used),
            gauge("stashlight_stash_live_bytes", { stash, device }, used * 0.7),
            gauge("stashlight_stash_dead_bytes", { stash, device }, used * 0.22),
            gauge("stashlight_stash_capacity_bytes", { stash, device }, 3 * GIB),
            gauge(
              "stashlight_stash_free_segments",
              { stash, device },
              Math.round(40 - 20 * done + 3 * random()),
            ),
            gauge("stashlight_stash_oldest_unpurged_seconds", { stash, device }, 6 + 4 * random()),
            ...ssdAccount(device),
            ...(device === "s2" ? [quarantine(stash, device, ageMs)] : []),
            gauge(
              "stashlight_drive_running",
              { tier: "stash", device },
              device === "s4" && ageMs < 60_000 ? 0 : 1,
            ),
            ...unpurgedByPod(stash, device, random),
          ];
        }),
      ],
    };
  };
}

const QUARANTINED_HOURS = 2;

const quarantine = (stash: string, device: string, ageMs: number) =>
  gauge(
    "stashlight_stash_quarantine_seconds",
    { stash, device, operator: "ann@desk" },
    QUARANTINED_HOURS * 3_600 - ageMs / 1000,
  );

/** Gauges of a stash node's SSD; from s3 on, the agent is not permitted to read SMART. */
function ssdAccount(device: string) {
  const labels = { tier: "stash", device };
  const identity = { model: "Micron 7450 MTFDKCC1T6TFS", serial: `2243-${device}`, firmware: "E2MU200" };
  if (device >= "s3") {
    return [
      gauge("stashlight_device_info", { ...labels, ...identity, serial: "" }, 1),
      gauge("stashlight_device_smart_silent_info", { ...labels, silence: "not_permitted" }, 1),
    ];
  }
  return [
    gauge("stashlight_device_info", { ...labels, ...identity }, 1),
    gauge("stashlight_device_healthy", labels, 1),
    gauge("stashlight_device_wear_ratio", labels, 0.124),
    gauge("stashlight_device_host_written_bytes", labels, 1.24e15),
    gauge("stashlight_device_endurance_bytes", labels, 1e16),
    gauge("stashlight_device_write_amplification", labels, 2.4),
    ...(device === "s2"
      ? [gauge("stashlight_device_wear_source_info", { ...labels, source: "177 Wear_Leveling_Count" }, 1)]
      : []),
    gauge("stashlight_device_spare_ratio", labels, 0.98),
    gauge("stashlight_device_temperature_celsius", labels, 41),
  ];
}

/** A drive is recorded once for its serial number, so vaults that are seeded together share none. */
export const hddSerial = (pod: string, device: string) => `ZL2-${pod}-${device}`;

function hddAccount(pod: string, device: string) {
  const labels = { tier: "pod", device };
  const identity = { model: "ST16000NM001G", serial: hddSerial(pod, device), firmware: "SN03" };
  return [
    gauge("stashlight_device_info", { ...labels, ...identity }, 1),
    gauge("stashlight_device_healthy", labels, device === "p3" ? 0 : 1),
    gauge("stashlight_device_bad_sectors", labels, device === "p3" ? 24 : 0),
    gauge("stashlight_device_uncorrected_errors", labels, device === "p3" ? 10 : 0),
    gauge("stashlight_device_temperature_celsius", labels, 33),
  ];
}

/** Gauges of a drive's integrity; a damaged drive has corrupt records and an old scrub. */
function integrity(device: string, isDamaged: boolean) {
  const labels = { tier: "pod", device };
  return [
    gauge("stashlight_drive_corrupt_records", labels, isDamaged ? 12 : 0),
    gauge("stashlight_drive_unreadable_records", labels, isDamaged ? 1 : 0),
    gauge("stashlight_drive_damage_correlated", labels, 0),
    gauge("stashlight_scrub_oldest_unverified_seconds", labels, (isDamaged ? 71 : 38) * 86_400),
    gauge("stashlight_scrub_round_seconds", labels, 30 * 86_400),
    gauge("stashlight_scrub_progress_ratio", labels, 0.412),
  ];
}

const integrityCounters = (device: string, ageMs: number) => {
  const labels = { tier: "pod", device };
  const isBad = ageMs < 60_000;
  return [
    counter("stashlight_read_errors_total", labels, isBad ? 5 : 0),
    counter("stashlight_records_corrupt_total", labels, isBad ? 3 : 0),
    counter("stashlight_records_repaired_total", labels, isBad ? 1 : 0),
  ];
};

const POD_BYTES = 120 * GIB;
/** Usable bytes of a pod: its capacity without the reserve. */
const USABLE_BYTES = 105 * GIB;
/** Space for objects on 20 pods with 16+4, without parity. */
const VAULT_BYTES = 16 * USABLE_BYTES;

/** Median flush time: one drive is always slow, and one has been slow for ten minutes. */
function medianOf(device: string, ageMs: number): number {
  if (device === "p3") return 0.14;
  return device === "p7" && ageMs < SLOWED_AGE_MS ? 3 * USUAL_FLUSH_SECONDS : USUAL_FLUSH_SECONDS;
}

const SLOWED_AGE_MS = 10 * 60_000;
const USUAL_FLUSH_SECONDS = 0.024;

export function podWindow(
  pod: string,
  devices: readonly string[],
  fillAt: (ageMs: number) => number,
  random: Random,
  damagedDrive: string | null,
) {
  return (ageMs: number): Content => ({
    histograms: devices.flatMap(
      (device): Histograms => [
        {
          metric: "stashlight_fsync_seconds",
          labels: { tier: "pod", device },
          histogram: spread(30, medianOf(device, ageMs), random),
        },
        {
          metric: "stashlight_flush_queue_seconds",
          labels: { pod, device },
          histogram: spread(120, 4, random),
        },
      ],
    ),
    counters: devices.flatMap((device) => [
      counter("stashlight_shards_written_total", { tier: "pod", device }, 80 + Math.round(20 * random())),
      ...(device === damagedDrive ? integrityCounters(device, ageMs) : []),
    ]),
    gauges: [
      agentInfo("pod"),
      ...devices.flatMap((device) => [
        gauge("stashlight_drive_running", { tier: "pod", device }, 1),
        ...hddAccount(pod, device),
        ...integrity(device, device === damagedDrive),
        gauge(
          "stashlight_flush_backlog_shards",
          { pod, device },
          Math.round(device === "p3" ? 90 : 12 * random()),
        ),
        gauge("stashlight_flush_backlog_bytes", { pod, device }, 1e6 * random()),
        ...podRoom({ pod, device }, USABLE_BYTES * (fillAt(ageMs) + 0.002 * random())),
      ]),
    ],
  });
}

function podRoom(labels: { readonly pod: string; readonly device: string }, liveBytes: number) {
  return [
    gauge("stashlight_pod_live_bytes", labels, liveBytes),
    gauge("stashlight_pod_capacity_bytes", labels, POD_BYTES),
    gauge("stashlight_pod_usable_bytes", labels, USABLE_BYTES),
    gauge("stashlight_pod_taken_bytes", labels, liveBytes),
    gauge("stashlight_pod_garbage_bytes", labels, 0.09 * liveBytes),
    gauge("stashlight_pod_visible_bytes", labels, 0.96 * liveBytes),
    gauge("stashlight_pod_counted_bytes", labels, 1.09 * liveBytes),
    gauge("stashlight_pod_visible_objects", labels, Math.round(liveBytes / 20_000)),
    gauge("stashlight_pod_visible_object_bytes", labels, 16 * 0.96 * liveBytes),
  ];
}

/** Place of a vault behind an endpoint with several vaults. */
export interface EndpointPlace {
  /** Vault that owns the S3 address. */
  readonly endpoint: string;
  readonly state: EndpointVaultState;
  readonly newKeysShare: number;
  readonly freeBytes: number;
}

const ENDPOINT_CAPACITY_BYTES = 1_600 * GIB;

const placeGauges = ({ endpoint, state, newKeysShare, freeBytes }: EndpointPlace) => [
  gauge("stashlight_endpoint_vault_info", { endpoint, state }, 1),
  gauge("stashlight_endpoint_free_bytes", { endpoint }, freeBytes),
  gauge("stashlight_endpoint_capacity_bytes", { endpoint }, ENDPOINT_CAPACITY_BYTES),
  gauge("stashlight_endpoint_epoch", { endpoint }, 4),
  gauge("stashlight_endpoint_epochs_ratio", { endpoint }, 4 / 128),
  gauge("stashlight_new_keys_ratio", {}, newKeysShare),
];

/** Gauges of a certificate with `daysLeft` at the end of the range; none if it is undefined. */
export const certificateGauges = (vault: string, daysLeft: number | undefined, ageMs: number) =>
  daysLeft === undefined
    ? []
    : [
        gauge(
          "stashlight_certificate_remaining_seconds",
          { certificate: "node", issuer: `Stashlight authority of the vault ${vault}` },
          daysLeft * 86_400 + ageMs / 1000,
        ),
      ];

/** Heartbeat that every agent reports in each window. */
const agentInfo = (tier: string) => gauge("stashlight_agent_info", { tier, version: "0.2.0" }, 1);

/** Rebuild limit of the vault, in bytes per second. */
const REBUILD_LIMIT_BYTES = 32_000_000;

export function coordinatorWindow(
  random: Random,
  place: EndpointPlace | null,
  fillAt: (ageMs: number) => number,
  podsAway: readonly string[],
) {
  return (ageMs: number): Content => ({
    histograms: [
      {
        metric: "stashlight_upload_seconds",
        labels: { path: "stash", size_class: "to-256KiB" },
        histogram: spread(1_400, 0.006, random),
      },
      {
        metric: "stashlight_upload_seconds",
        labels: { path: "direct", size_class: "to-16MiB" },
        histogram: spread(1_100, 0.11, random),
      },
      {
        metric: "stashlight_quorum_wait_seconds",
        labels: { set: "pods" },
        histogram: spread(2_500, 0.0035, random),
      },
      {
        metric: "stashlight_quorum_wait_seconds",
        labels: { set: "stash" },
        histogram: spread(1_400, 0.0052, random),
      },
      { metric: "stashlight_encode_seconds", labels: {}, histogram: spread(2_500, 0.0009, random) },
    ],
    counters: [
      counter("stashlight_agent_cpu_seconds_total", {}, 1.6 + 0.4 * random()),
      counter("stashlight_uploads_total", { path: "stash", result: "stored" }, UPLOADS_PER_WINDOW),
      counter("stashlight_upload_bytes_total", { path: "stash" }, UPLOADS_PER_WINDOW * UPLOAD_BYTES),
      counter("stashlight_requests_total", { operation: "PutObject", status: "200" }, UPLOADS_PER_WINDOW),
      counter(
        "stashlight_requests_total",
        { operation: "PutObject", status: "507" },
        ageMs > 900_000 && ageMs < 1_000_000 ? 4 : 0,
      ),
      counter(
        "stashlight_fallbacks_total",
        { reason: "stash_full" },
        ageMs > 900_000 && ageMs < 1_000_000 ? 3 : 0,
      ),
    ],
    gauges: [
      ...(place === null ? [] : placeGauges(place)),
      gauge("stashlight_vault_taken_bytes", {}, VAULT_BYTES * (fillAt(ageMs) + 0.001)),
      gauge("stashlight_vault_capacity_bytes", {}, VAULT_BYTES),
      gauge("stashlight_vault_data_shards", {}, 16),
      gauge("stashlight_vault_parity_shards", {}, 4),
      gauge("stashlight_vault_rebuild_limit_bytes", {}, REBUILD_LIMIT_BYTES),
      ...devicesOf("p", 0, 20).map((pod) =>
        gauge("stashlight_vault_pod_settled", { pod }, podsAway.includes(pod) ? 0 : 1),
      ),
      gauge("stashlight_durable_margin_shards", {}, 3),
      gauge("stashlight_durable_missing_shards", {}, 0),
      agentInfo("coordinator"),
      gauge("stashlight_agent_resident_bytes", {}, 96e6 + 4e6 * random()),
      gauge("stashlight_agent_event_loop_delay_seconds", {}, 0.011 + 0.002 * random()),
      gauge("stashlight_agent_spool_bytes", {}, ageMs > 600_000 && ageMs < 700_000 ? 48_000 : 0),
    ],
  });
}

const counter = (
  metric: RecordedWindow["counters"][number]["metric"],
  labels: Record<string, string>,
  increase: number,
) => ({
  metric,
  labels,
  increase,
  total: increase,
});

const gauge = (
  metric: RecordedWindow["gauges"][number]["metric"],
  labels: Record<string, string>,
  value: number,
) => ({
  metric,
  labels,
  value,
});
