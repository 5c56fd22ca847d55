/**
 * One boot of a drive whose machine runs: its recurring work, and the index that it saves for the next boot. The drive's
 * host (drive-host.ts) begins it, and ends it when the drive fails or stops.
 */
import type { IndexUse } from "@stashlight/contracts/space";
import type { LogStats } from "@stashlight/shard-log";
import type { ShardStore } from "@stashlight/shard-store";
import type { VaultConfig } from "@stashlight/write-path";
import { monotonicNowMs } from "../host/clock.ts";
import { VisibleSurvey } from "../objects/visible-survey.ts";
import type { DriveHostOptions } from "./drive-host-options.ts";
import type { DriveMachine, RunningMachine } from "./drive-machine.ts";
import { type CheckpointedBoot, IndexCheckpoints } from "./index-checkpoints.ts";
import { type StopObservation, saveIndex } from "./index-of-stop.ts";
import type { IndexPages, IndexPagesUse } from "./index-pages.ts";

const COMPACT_EVERY_UPKEEPS = 20;
const OUTCOMES_EVERY_UPKEEPS = 40;
/** Interval, in upkeeps, at which known corrupt records are reported to the machine again. */
const CORRUPT_EVERY_UPKEEPS = 4;
/**
 * Visible objects are counted in slices of a tenth of a millisecond per upkeep: every two seconds if there are few, so
 * that pages reflect an upload or a deletion at once, and every half minute if there are many.
 */
const SURVEY_PAUSE_PER_STEP_MS = 2_000;
const SURVEY_PAUSE_MS_MAX = 30_000;
const SURVEY_OBJECTS = 500;

type Options = Pick<DriveHostOptions, "policy" | "indexMemory" | "indexPages" | "observe">;

export class RunningDrive {
  readonly machine: DriveMachine;
  /** Counts visible objects; null for a stash device. */
  readonly survey: VisibleSurvey | null;
  readonly #options: Options;
  readonly #running: RunningMachine;
  /** Null if the whole index stays in memory. */
  readonly #pages: IndexPages | null;
  /** Null for a machine that cannot be saved. */
  readonly #saved: { readonly boot: CheckpointedBoot; readonly checkpoints: IndexCheckpoints } | null;
  readonly #detachIndex: () => void;
  #upkeepCount = 0;
  /** Reason why the file of the index rejected the last page, as last checked. */
  #pagesError: string | null = null;

  constructor(options: Options, machine: DriveMachine, running: RunningMachine, pages: IndexPages | null) {
    this.#options = options;
    this.machine = machine;
    this.#running = running;
    this.#pages = pages;
    this.survey = createSurvey(machine);
    this.#saved = this.#newCheckpoints();
    const { indexMemory, indexPages } = options;
    const attached = indexMemory?.attach({
      recordCount: () => this.logStats().recordsLive,
      heldBytes: () => Math.min(this.indexPages()?.heldBytes ?? 0, indexPages?.heldBytesMax ?? 0),
      fileSystem: pages?.fileSystem ?? null,
    });
    this.#detachIndex = attached ?? (() => {});
  }

  #newCheckpoints() {
    const { machine } = this;
    const [running, pages] = [this.#running, this.#pages];
    if (pages === null || machine.save === undefined) return null;
    const boot = { running, pages, savePod: machine.save.bind(machine) };
    const checkpoints = new IndexCheckpoints(boot, (reason) =>
      this.#options.observe({ type: "indexNotCheckpointed", reason }),
    );
    return { boot, checkpoints };
  }

  get store(): ShardStore {
    return this.#running.store;
  }

  get shell(): RunningMachine["shell"] {
    return this.#running.shell;
  }

  /** Adopts another epoch of the vault. */
  configure(config: VaultConfig): void {
    this.#running.configure(config);
  }

  logStats(): LogStats {
    return this.store.log.stats();
  }

  /** Memory of the pod's index; null for a stash device. */
  index(): IndexUse | null {
    const { indexMemory } = this.#options;
    if (indexMemory === undefined) return null;
    const { recordsLive: records } = this.logStats();
    const pages = this.#pages;
    const sharers = indexMemory.podsOn(pages?.fileSystem ?? null);
    const fileMax = records + (pages?.recordsUntilFull(records) ?? Infinity) / Math.max(1, sharers);
    const recordsMax = Math.floor(Math.min(fileMax, indexMemory.recordsMax(records)));
    return { records, recordsMax, share: indexMemory.usedShare() };
  }

  /** Pages of the pod's index; null for a stash device. */
  indexPages(): IndexPagesUse | null {
    return this.#pages?.use() ?? null;
  }

  /** Begins whatever is due on a healthy drive. Must be called regularly. */
  keepUp({ bytesUsed }: LogStats): void {
    const { store } = this;
    const { log } = store;
    store.checkFullness();
    this.#checkPages();
    this.survey?.step(() => this.machine.visibleObjects?.() ?? [].values(), bytesUsed);
    this.#upkeepCount += 1;
    // Nothing else changes the log while its state is being saved.
    if (log.isPaused) return;
    if (this.#upkeepCount % OUTCOMES_EVERY_UPKEEPS === 0) {
      store.writeOutcomes();
      log.attest(() => {});
    }
    if (this.#upkeepCount % COMPACT_EVERY_UPKEEPS === 0 && this.#options.policy === "extents") {
      log.compact(() => {});
    }
    if (this.#upkeepCount % CORRUPT_EVERY_UPKEEPS === 0) store.reportCorrupt();
    this.#saved?.checkpoints.tick();
  }

  #checkPages(): void {
    this.#pages?.memory.tryAgain();
    const reason = this.indexPages()?.error ?? null;
    if (reason !== null && this.#pagesError === null) this.#options.observe({ type: "indexStays", reason });
    this.#pagesError = reason;
  }

  /** Ends the machine, and saves its index for the next start, unless another drive has taken the place meanwhile. */
  async saveIndex(isReplaced: () => boolean): Promise<StopObservation | null> {
    if (this.#saved === null) return null;
    const { boot, checkpoints } = this.#saved;
    return await saveIndex(boot, checkpoints, isReplaced);
  }

  /** Ends the machine at once. Resolves when the drive can be closed. */
  async end(): Promise<void> {
    this.#detachIndex();
    this.shell.stop();
    this.store.end();
    await this.#saved?.checkpoints.end();
  }
}

function createSurvey(machine: DriveMachine): VisibleSurvey | null {
  if (machine.visibleObjects === undefined) return null;
  return new VisibleSurvey({
    nowMs: monotonicNowMs,
    pausePerStepMs: SURVEY_PAUSE_PER_STEP_MS,
    pauseMsMax: SURVEY_PAUSE_MS_MAX,
    objectsPerStep: SURVEY_OBJECTS,
  });
}
