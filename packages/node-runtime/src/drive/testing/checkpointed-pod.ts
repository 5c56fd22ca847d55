/** Pods with limited memory for their index, on drives in a folder, and the copies of such drives that kills leave. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Position, ShardStore } from "@stashlight/shard-store";
import { createPod, createSavedPod, PackedEntries, type PodState, savePod } from "@stashlight/write-path";
import type { VaultFile } from "../../config/index.ts";
import { type RunningMachine, startPod } from "../drive-machine.ts";
import { type CheckpointOptions, IndexCheckpoints } from "../index-checkpoints.ts";
import type { IndexPages } from "../index-pages.ts";
import { type OpenDrive, openDrive } from "../open-drive.ts";
import { describeEntries, describeRareParts } from "./pod-content.ts";
import { ignoredAnswers, makeShard, podConfig } from "./pod-drive.ts";

// Uses a folder beside the sources rather than a temporary one, which often has no O_DIRECT.
const scratch = join(dirname(fileURLToPath(import.meta.url)), "../../../node_modules/.test");
const VOLUME = { segmentBytes: 1_048_576, segmentCount: 8 };
export const DRIVE_ID = "d1".repeat(16);
/** Shards of a drive that `fill` has made; all but five settle at the next start. */
export const SHARD_COUNT = 300;
const file = {
  clusterId: "c1".repeat(16),
  podVolume: VOLUME,
  stashVolume: VOLUME,
  pieceBytes: 65_536,
  smallUploadBytesMax: 65_536,
  scheme: podConfig.scheme,
} as VaultFile;

const storeOptions = {
  defer: setImmediate,
  after: () => {},
  fullAtShare: 0.75,
  relievedAtShare: 0.7,
};

export interface RunningPod {
  /** Folder of the drive. */
  readonly path: string;
  readonly open: OpenDrive;
  readonly pages: IndexPages;
  readonly machine: RunningMachine;
  readonly state: PodState<Position>;
  readonly settled: PackedEntries;
}

export const flush = ({ log }: ShardStore): Promise<void> => promisify(log.flush.bind(log))();

export const findPosition = ({ state }: RunningPod, number: number): Position =>
  state.entries.get(makeShard(number).upload.uploadId)?.position as Position;

/** Saves the index as the host of the drive does, by a clock that the caller moves; messages wait as long as needed. */
export function createCheckpoints(
  { machine: running, pages, state, settled }: RunningPod,
  reportFailure: (reason: string) => void,
  options: CheckpointOptions,
  save = () => savePod(state, settled),
): IndexCheckpoints {
  const patient = { random: () => 0, holdUsMax: 60_000_000 };
  return new IndexCheckpoints({ running, pages, savePod: save }, reportFailure, { ...patient, ...options });
}

export class CheckpointedPods {
  readonly #folder: string;
  readonly #running: RunningPod[] = [];
  #copyCount = 0;

  constructor() {
    mkdirSync(scratch, { recursive: true });
    this.#folder = mkdtempSync(join(scratch, "checkpoint-"));
  }

  /** Fills a drive, and returns its path. */
  async fill(): Promise<string> {
    const path = join(this.#folder, "drive");
    const drive = { driveId: DRIVE_ID, path, pod: 0 };
    const { opened, close } = await openDrive({ file, drive, policy: "extents", mayFormat: true });
    const { store, release } = ShardStore.start({ ...storeOptions, opened, answers: ignoredAnswers });
    release();
    for (let number = 1; number <= SHARD_COUNT; number++) {
      store.append(makeShard(number), "data");
      if (number % 50 === 0) await flush(store);
    }
    for (let position = 0; position < SHARD_COUNT - 5; position++) store.remember(position, "complete");
    store.persistRefusal({ uploadId: "f1".repeat(16), isKnowing: true, order: "0".repeat(24) });
    store.writeOutcomes();
    await flush(store);
    await close();
    return path;
  }

  /** Starts the pod on the drive at this path. */
  async start(path: string, scanReason: string | null = null): Promise<RunningPod> {
    const open = await openDrive({
      ...{ file, drive: { driveId: DRIVE_ID, path, pod: 0 }, policy: "extents", mayFormat: false },
      ...{ scanReason, indexPages: { heldBytesMax: 8 * 4096, folder: null } },
    });
    const pages = open.indexPages as IndexPages;
    const pod = open.saved?.pod ?? null;
    const settled = new PackedEntries(pages.memory, undefined, pod?.settled);
    const state =
      pod === null ? createPod<Position>(podConfig, 0, settled) : createSavedPod(podConfig, 0, settled, pod);
    const machine = startPod(
      state,
      { podIndex: 0, driveId: DRIVE_ID, bootId: 1 },
      {
        opened: open.opened,
        storeOptions: { ...storeOptions, memory: pages.memory, saved: open.saved },
        surroundings: { send: () => {}, startTimer: () => () => {}, defer: setImmediate, nowMs: Date.now },
        halt: (reason) => {
          throw new Error(reason);
        },
        watch: undefined,
      },
    );
    machine.recover();
    const started = { path, open, pages, machine, state, settled };
    this.#running.push(started);
    return started;
  }

  /** The drive as a kill leaves it now. */
  kill(path: string): string {
    const copy = join(this.#folder, `copy-${this.#copyCount++}`);
    cpSync(path, copy, { recursive: true });
    return copy;
  }

  /** Ends a pod, and closes its drive. */
  async end(pod: RunningPod): Promise<void> {
    this.#running.splice(this.#running.indexOf(pod), 1);
    pod.machine.shell.stop();
    pod.machine.store.end();
    await pod.open.close();
  }

  async close(): Promise<void> {
    for (const pod of [...this.#running]) await this.end(pod);
    rmSync(this.#folder, { recursive: true });
  }
}

/** Content of the pod, for a comparison of two starts of one drive. */
export function describePod({ machine, state }: RunningPod): object {
  const saved = machine.store.save();
  if (typeof saved === "string") throw new Error(saved);
  const open = [...saved.outcomes.open].map(([key, { isCommitted }]) => ({ key, isCommitted }));
  open.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { content: describeEntries(state), rare: describeRareParts(state), openOutcomes: open };
}
