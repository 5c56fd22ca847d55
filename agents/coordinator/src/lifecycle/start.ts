/** Starts applying lifecycle rules, with a coordinator's clocks, audit log and metrics. */
import { monotonicNowMs, readAdminAccess } from "@stashlight/node-runtime";
import type { CoordinatorNode, VaultFile } from "@stashlight/node-runtime/config";
import type { ObjectStore } from "@stashlight/s3";
import type { Recorder } from "@stashlight/telemetry";
import type { Logger } from "pino";
import { openAuditLog } from "../lost/audit-log.ts";
import type { Space } from "../space/garbage-collection.ts";
import { CautiousClock } from "./cautious-clock.ts";
import { Lifecycle, lifecycleTiming, type RunningLifecycle, runLifecycle } from "./lifecycle.ts";
import { MachineClocks } from "./machine-clocks.ts";

export interface StartLifecycleOptions {
  readonly file: VaultFile;
  readonly node: CoordinatorNode;
  readonly space: Space;
  readonly store: ObjectStore;
  readonly recorder: Recorder;
  readonly logger: Logger;
  readonly isBusy: () => boolean;
  /** Rejects unless these vaults may be served. */
  readonly check: () => Promise<void>;
}

export function startLifecycle({
  file,
  node,
  space,
  store,
  recorder,
  logger,
  isBusy,
  check,
}: StartLifecycleOptions): RunningLifecycle {
  const timing = lifecycleTiming(file.lifecycle);
  const clocks = { wallMs: Date.now, steadyMs: monotonicNowMs };
  const clock = new CautiousClock(clocks);
  const machines = new MachineClocks({
    ...clocks,
    file: () => file,
    ownHost: node.host,
    access: readAdminAccess(file),
  });
  const lifecycle = new Lifecycle({
    ...clocks,
    space,
    store,
    isBusy,
    timing,
    readTimeMs: async () => {
      await check();
      const timeMs = Math.min(clock.read(), await machines.read());
      if (timeMs === Number.NEGATIVE_INFINITY) throw new Error("Too few machines reported their time.");
      return timeMs;
    },
    audit: openAuditLog(node.stateFolder),
    onFailure: (error) => logger.warn({ err: error }, "lifecycle rules could not be carried out"),
  });
  follow(recorder, lifecycle, clock);
  return runLifecycle(lifecycle, timing);
}

function follow(recorder: Recorder, lifecycle: Lifecycle, clock: CautiousClock): void {
  const { deletions } = lifecycle;
  const expired = recorder.counter("stashlight_lifecycle_expired_objects_total", {});
  const expiredBytes = recorder.counter("stashlight_lifecycle_expired_bytes_total", {});
  const aborted = recorder.counter("stashlight_lifecycle_aborted_uploads_total", {});
  const abortedBytes = recorder.counter("stashlight_lifecycle_aborted_bytes_total", {});
  const failures = recorder.counter("stashlight_lifecycle_failures_total", {});
  const passes = recorder.counter("stashlight_lifecycle_passes_total", {});
  const ahead = recorder.gauge("stashlight_lifecycle_clock_ahead_seconds", {});
  recorder.onRead(() => {
    expired.follow(deletions.counts.expire);
    expiredBytes.follow(deletions.bytes.expire);
    aborted.follow(deletions.counts.abort);
    abortedBytes.follow(deletions.bytes.abort);
    failures.follow(lifecycle.failureCount);
    passes.follow(lifecycle.passCount);
    ahead.set((Date.now() - clock.read()) / 1000);
  });
}
