/**
 * Metrics of one drive: its syncs, and the times from its machine's requests to their completion. HDD and SSD are
 * distinguished by tier and device; a modelled drive is labelled as such.
 */
import type { Position } from "@stashlight/shard-store";
import type { CounterHandle, HistogramHandle, Recorder } from "@stashlight/telemetry";
import type {
  LoggedShards,
  PodEffect,
  PodEvent,
  StashEffect,
  StashEvent,
  UploadId,
} from "@stashlight/write-path";
import { podRoom } from "../config/index.ts";
import type { DriveHost } from "../drive/drive-host.ts";
import type { DriveWatch } from "../drive/drive-machine.ts";
import type { DiskMeter } from "../drive/metered-disk.ts";
import { secondsLeft } from "../drive/operation-progress.ts";
import { integrityMetrics } from "./integrity-metrics.ts";
import { quarantineMetric } from "./quarantine-metric.ts";

type Effect = PodEffect<Position> | StashEffect<Position>;
type Event = PodEvent<Position> | StashEvent<Position>;

export interface DriveMetricsOptions {
  readonly recorder: Recorder;
  readonly nodeId: string;
  readonly tier: "pod" | "stash";
  /** Address of the drive's machine, such as s3. */
  readonly device: string;
  readonly modelled: string | undefined;
  readonly nowMs: () => number;
  /** Wall clock, which dates operators' actions. */
  readonly wallMs: () => number;
}

export class DriveMetrics implements DiskMeter, DriveWatch {
  readonly #options: DriveMetricsOptions;
  readonly #fsync: HistogramHandle;
  readonly #fsyncErrors: CounterHandle;
  readonly #writeTime: HistogramHandle;
  readonly #shards: CounterHandle;
  readonly #bytes: CounterHandle;
  readonly #recovered: CounterHandle;
  /** Purge lag for a stash device; time in the page cache for a pod. */
  readonly #lag: HistogramHandle;
  readonly #batch: HistogramHandle | null;
  readonly #purges: CounterHandle | null;
  /** Start times of pending appends by upload; a drive has one shard of each. */
  readonly #askedMs = new Map<UploadId, number>();
  /** Times when unpurged shards became durable on this device, oldest first. */
  readonly #heldSinceMs = new Map<Position, number>();
  /** Write times of unflushed shards, and of those that the flush in progress covers. */
  #writtenMs: number[] = [];
  #flushingMs: number[] = [];
  #backlogBytes = 0;
  #flushingBytes = 0;
  #appendedSinceSync = 0;

  constructor(options: DriveMetricsOptions) {
    const { recorder, tier, device, modelled, nodeId } = options;
    this.#options = options;
    const drive = { tier, device, modelled };
    this.#fsync = recorder.histogram("stashlight_fsync_seconds", drive);
    this.#fsyncErrors = recorder.counter("stashlight_fsync_errors_total", drive);
    this.#writeTime = recorder.histogram("stashlight_shard_write_seconds", drive);
    this.#shards = recorder.counter("stashlight_shards_written_total", drive);
    this.#bytes = recorder.counter("stashlight_shard_written_bytes_total", drive);
    this.#recovered = recorder.counter("stashlight_shards_recovered_total", drive);
    const isStash = tier === "stash";
    const onStash = { stash: nodeId, device, modelled };
    this.#lag = isStash
      ? recorder.histogram("stashlight_purge_lag_seconds", onStash)
      : recorder.histogram("stashlight_flush_queue_seconds", { pod: nodeId, device, modelled });
    this.#batch = isStash ? recorder.histogram("stashlight_commit_batch_records", onStash) : null;
    this.#purges = isStash ? recorder.counter("stashlight_purges_accepted_total", onStash) : null;
  }

  sync(durationUs: number, isFailed: boolean): void {
    this.#fsync.record(durationUs / 1e6);
    if (isFailed) this.#fsyncErrors.add();
    // The records of a group commit are answered when its sync has ended, before the next one begins.
    if (this.#appendedSinceSync > 0) this.#batch?.record(this.#appendedSinceSync);
    this.#appendedSinceSync = 0;
  }

  write(): void {}

  read(): void {}

  asked(effect: Effect): void {
    if (effect.type === "append") {
      this.#askedMs.set(effect.shard.upload.uploadId, this.#options.nowMs());
      this.#bytes.add(effect.shard.payload.length);
      this.#backlogBytes += effect.shard.payload.length;
    } else if (effect.type === "kill") {
      const sinceMs = this.#heldSinceMs.get(effect.position);
      if (sinceMs === undefined) return;
      this.#heldSinceMs.delete(effect.position);
      this.#lag.record((this.#options.nowMs() - sinceMs) / 1000);
      this.#purges?.add();
    } else if (effect.type === "flush") {
      this.#flushingMs = this.#writtenMs;
      this.#flushingBytes = this.#backlogBytes;
      this.#writtenMs = [];
    }
  }

  taking(event: Event): void {
    if (event.type === "appended") this.#appended(event.uploadId, event.position);
    else if (event.type === "appendFailed") this.#askedMs.delete(event.uploadId);
    else if (event.type === "flushed") {
      const nowMs = this.#options.nowMs();
      for (const sinceMs of this.#flushingMs) this.#lag.record((nowMs - sinceMs) / 1000);
      this.#backlogBytes -= this.#flushingBytes;
      this.#flushingMs = [];
      this.#flushingBytes = 0;
    } else if (event.type === "recovered") this.#boot(event.shards);
  }

  /** Drops the operations of an earlier boot; shards that it left unpurged count from the start of this boot. */
  #boot(shards: LoggedShards<Position>): void {
    this.#askedMs.clear();
    this.#heldSinceMs.clear();
    this.#writtenMs = [];
    this.#flushingMs = [];
    this.#backlogBytes = 0;
    this.#flushingBytes = 0;
    this.#recovered.add(shards.length);
    if (this.#options.tier === "pod") return;
    const nowMs = this.#options.nowMs();
    for (const { position } of shards) this.#heldSinceMs.set(position, nowMs);
  }

  #appended(uploadId: UploadId, position: Position): void {
    const nowMs = this.#options.nowMs();
    const askedMs = this.#askedMs.get(uploadId);
    this.#askedMs.delete(uploadId);
    if (askedMs !== undefined) this.#writeTime.record((nowMs - askedMs) / 1000);
    this.#shards.add();
    this.#appendedSinceSync += 1;
    if (this.#options.tier === "stash") this.#heldSinceMs.set(position, nowMs);
    else this.#writtenMs.push(nowMs);
  }

  /** Starts reading gauges from the drive at each scrape. */
  watchGauges(host: DriveHost): void {
    const { recorder, tier, device, modelled, nodeId } = this.#options;
    const running = recorder.gauge("stashlight_drive_running", { tier, device, modelled });
    const refresh = tier === "stash" ? this.#stashGauges() : this.#podGauges();
    const refreshIntegrity = integrityMetrics(recorder, { tier, device, modelled });
    recorder.onRead(() => {
      const { type } = host.state;
      // Closed on purpose, which is not a failure: the last window of a node that stops does not report the drive.
      running.set(type === "stopped" ? null : type === "running" ? 1 : 0);
      refresh(host);
      refreshIntegrity(host);
      for (const [reason, count] of host.refusals()) {
        const isPurge = tier === "stash" && reason.startsWith("purge");
        const counter = isPurge
          ? recorder.counter("stashlight_purges_refused_total", { stash: nodeId, device, reason, modelled })
          : recorder.counter("stashlight_refusals_total", { tier, device, reason, modelled });
        counter.follow(count);
      }
    });
  }

  #stashGauges(): (host: DriveHost) => void {
    const { recorder, device, modelled, nodeId, nowMs, wallMs } = this.#options;
    const labels = { stash: nodeId, device, modelled };
    const used = recorder.gauge("stashlight_stash_used_bytes", labels);
    const live = recorder.gauge("stashlight_stash_live_bytes", labels);
    const dead = recorder.gauge("stashlight_stash_dead_bytes", labels);
    const capacity = recorder.gauge("stashlight_stash_capacity_bytes", labels);
    const free = recorder.gauge("stashlight_stash_free_segments", labels);
    const oldest = recorder.gauge("stashlight_stash_oldest_unpurged_seconds", labels);
    const draining = recorder.gauge("stashlight_stash_draining_shards", labels);
    const drained = recorder.gauge("stashlight_stash_drain_total_shards", labels);
    const drainSeconds = recorder.gauge("stashlight_stash_drain_remaining_seconds", labels);
    const refreshQuarantine = quarantineMetric(recorder, labels, wallMs);
    return (host) => {
      refreshQuarantine(host);
      const stats = host.logStats();
      used.set(stats === null ? null : stats.bytesTotal - stats.bytesAppendable);
      live.set(stats?.bytesLive ?? null);
      dead.set(stats?.bytesGarbage ?? null);
      capacity.set(stats?.bytesTotal ?? null);
      free.set(stats?.segmentsFree ?? null);
      const since = this.#heldSinceMs.values().next();
      oldest.set(stats === null ? null : since.done ? 0 : (nowMs() - since.value) / 1000);
      const drain = host.draining();
      draining.set(drain?.left ?? null);
      drained.set(drain?.total ?? null);
      drainSeconds.set(drain === null ? null : secondsLeft(drain));
      for (const [pod, count] of host.unpurgedByPod()) {
        recorder.gauge("stashlight_stash_unpurged_shards", { ...labels, pod: `p${pod}` }).set(count);
      }
    };
  }

  #podGauges(): (host: DriveHost) => void {
    const { recorder, device, modelled, nodeId } = this.#options;
    const labels = { pod: nodeId, device, modelled };
    const backlogBytes = recorder.gauge("stashlight_flush_backlog_bytes", labels);
    const backlogShards = recorder.gauge("stashlight_flush_backlog_shards", labels);
    const live = recorder.gauge("stashlight_pod_live_bytes", labels);
    const capacity = recorder.gauge("stashlight_pod_capacity_bytes", labels);
    const usable = recorder.gauge("stashlight_pod_usable_bytes", labels);
    const taken = recorder.gauge("stashlight_pod_taken_bytes", labels);
    const garbage = recorder.gauge("stashlight_pod_garbage_bytes", labels);
    const visible = recorder.gauge("stashlight_pod_visible_bytes", labels);
    const objects = recorder.gauge("stashlight_pod_visible_objects", labels);
    const objectBytes = recorder.gauge("stashlight_pod_visible_object_bytes", labels);
    const counted = recorder.gauge("stashlight_pod_counted_bytes", labels);
    const records = recorder.gauge("stashlight_pod_records", labels);
    const recordsMax = recorder.gauge("stashlight_pod_records_max", labels);
    const indexShare = recorder.gauge("stashlight_pod_index_ratio", labels);
    const indexHeld = recorder.gauge("stashlight_pod_index_held_bytes", labels);
    const indexFile = recorder.gauge("stashlight_pod_index_file_bytes", labels);
    const missingShards = recorder.gauge("stashlight_pod_missing_shards", labels);
    const missingBytes = recorder.gauge("stashlight_pod_missing_bytes", labels);
    const rebuildTotal = recorder.gauge("stashlight_pod_rebuild_total_bytes", labels);
    const rebuildSeconds = recorder.gauge("stashlight_pod_rebuild_remaining_seconds", labels);
    return (host) => {
      const stats = host.logStats();
      backlogBytes.set(stats === null ? null : this.#backlogBytes);
      backlogShards.set(stats === null ? null : this.#writtenMs.length + this.#flushingMs.length);
      live.set(stats?.bytesLive ?? null);
      capacity.set(stats?.bytesTotal ?? null);
      const room = stats === null ? null : podRoom(stats);
      usable.set(room?.usableBytes ?? null);
      taken.set(room?.takenBytes ?? null);
      garbage.set(stats?.bytesGarbage ?? null);
      visible.set(stats === null ? null : host.visibleBytes());
      const held = stats === null ? null : host.visibleObjects();
      objects.set(held?.count ?? null);
      objectBytes.set(held?.bytes ?? null);
      counted.set(stats === null ? null : host.countedBytes());
      const index = host.index();
      records.set(index?.records ?? null);
      recordsMax.set(index?.recordsMax ?? null);
      indexShare.set(index?.share ?? null);
      const pages = host.indexPages();
      indexHeld.set(pages?.heldBytes ?? null);
      indexFile.set(pages?.fileBytes ?? null);
      const missing = host.missing();
      missingShards.set(missing?.shardCount ?? null);
      missingBytes.set(missing?.bytes ?? null);
      rebuildTotal.set(missing?.totalBytes ?? null);
      rebuildSeconds.set(
        missing === null
          ? null
          : secondsLeft({ left: missing.bytes, total: 0, perSecond: missing.bytesPerSecond }),
      );
    };
  }
}
