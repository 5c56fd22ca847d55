/**
 * Plans the processes of a whole vault on one machine. On few processors all nodes share one process, which
 * takes half the memory and hands messages over without a socket. On more, all nodes of a role share one, but for
 * pods, of which there are as many processes as can work at a time, because after a start each reads the headers of all
 * its shards. docs/measurements/2026-11-23-vault-in-one-process.md and docs/measurements/2026-11-21-vault-restart.md have
 * the figures.
 */
export interface AgentLaunch {
  /** `pods-1`; of its log and in what people are shown. */
  readonly name: string;
  /** Roles of the nodes that it serves. */
  readonly roles: readonly AgentRole[];
  /** The nodes that it serves. */
  readonly nodeIds: readonly string[];
  /** Flags of Node.js itself. */
  readonly nodeFlags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export type AgentRole = "pod" | "stash" | "coordinator";

export { measureSyncMs } from "./device/sync-time.ts";

/** All nodes of the process have left the vault, so there is nothing to start again. */
export const DEPARTED_EXIT_CODE = 3;

/** The process was asked to restart and has handed over; supervisors that restart only failures start it again too. */
export const RESTART_EXIT_CODE = 75;

/** The program of every node, from the folder of the repository. */
export const agentEntry = "agents/node/src/main.ts";

export interface LaunchOptions {
  readonly nodeIds: Readonly<Record<AgentRole, readonly string[]>>;
  readonly stashDeviceCount: number;
  readonly processorCount: number;
  /** Sync time of the stash's disk while it is idle; unknown counts as slow. */
  readonly syncMs?: number;
  /** Keeps the roles in processes of their own, for drills that kill one role and not the others. */
  readonly isDrill?: boolean;
}

/** With fewer processors than this, processes of a vault only wait for each other. */
const PROCESSORS_FOR_SEVERAL = 4;

/**
 * Threads are for the system calls that wait for a disk. The devices of the stash sync all at once, and uploads wait
 * for them, so each device has one, and a few more are for reads.
 */
const STASH_THREADS_MORE = 3;
/**
 * A disk that syncs faster than this serves a few threads as quickly as many, and threads that are seldom idle need not
 * be woken for each call. A third of them may sync pods (packages/shard-log/src/node/sync-gate.ts).
 */
const FAST_SYNC_MS = 0.5;
const FAST_DISK_THREAD_COUNT = 12;
/** Threads for pods, in all: they sync now and then, and no client waits for them. */
const POD_THREAD_COUNT = 8;
const POD_THREAD_COUNT_MIN = 4;

/**
 * The bodies of uploads make V8 look through a young heap of 20 MB again and again, which took a fifth of all
 * processor time: the old generation may grow to this size first. A small young generation keeps memory in bounds.
 */
const nodeFlags = ["--max-semi-space-size=4", "--initial-old-space-size=48"];

/**
 * For one node in a process of its own, on a machine whose memory is for the page cache: 6 MB less than with the young
 * generation that V8 would choose.
 */
export const nodeFlagsOfOne = ["--max-semi-space-size=2"];

/**
 * The same for one process with all nodes, which has the memory of several. Buffers count towards that size instead of
 * forcing a collection of their own: of 6 ms of processor time a put of 256 KiB, collections took more than 2.
 */
const nodeFlagsOfAll = [
  "--max-semi-space-size=8",
  "--initial-old-space-size=192",
  "--external-memory-accounted-in-global-limit",
];

/**
 * The C library keeps the memory of freed large buffers unless it is configured to return it, and a pool for each
 * thread: a hundred megabytes of the processes under load.
 */
const allocator = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "524288",
};

export function agentLaunches(options: LaunchOptions): AgentLaunch[] {
  const { nodeIds, stashDeviceCount, processorCount, syncMs = Infinity, isDrill = false } = options;
  const stashThreadCount = stashDeviceCount + STASH_THREADS_MORE;
  if (processorCount < PROCESSORS_FOR_SEVERAL && !isDrill) {
    const ids = [...nodeIds.pod, ...nodeIds.stash, ...nodeIds.coordinator];
    const threadCount =
      syncMs < FAST_SYNC_MS ? FAST_DISK_THREAD_COUNT : stashThreadCount + POD_THREAD_COUNT_MIN;
    const all = buildLaunch("nodes", ["pod", "stash", "coordinator"], ids, threadCount);
    return [{ ...all, nodeFlags: nodeFlagsOfAll }];
  }
  const podGroups = splitEvenly(nodeIds.pod, Math.min(processorCount, nodeIds.pod.length));
  const podThreadCount = Math.max(POD_THREAD_COUNT_MIN, Math.ceil(POD_THREAD_COUNT / podGroups.length));
  const pods = podGroups.map((ids, at) => {
    return buildLaunch(podGroups.length === 1 ? "pods" : `pods-${at + 1}`, ["pod"], ids, podThreadCount);
  });
  const stash = buildLaunch("stash", ["stash"], nodeIds.stash, stashThreadCount);
  return [...pods, stash, buildLaunch("coordinator", ["coordinator"], nodeIds.coordinator, 4)];
}

/** Splits `ids`, in order, into `count` groups of about the same size. */
function splitEvenly(ids: readonly string[], count: number): string[][] {
  return Array.from({ length: count }, (_, at) =>
    ids.slice(Math.floor((at * ids.length) / count), Math.floor(((at + 1) * ids.length) / count)),
  );
}

function buildLaunch(
  name: string,
  roles: readonly AgentRole[],
  nodeIds: readonly string[],
  threadCount: number,
): AgentLaunch {
  const env = { ...allocator, UV_THREADPOOL_SIZE: String(threadCount) };
  return { name, roles, nodeIds, nodeFlags, env };
}
