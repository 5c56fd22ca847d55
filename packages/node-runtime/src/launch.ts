/**
 * Plans the processes of a whole vault on one machine. On few processors all nodes share one process, which takes half
 * the memory and passes messages without a socket. On more, all nodes of a role share one, except pods: they get as
 * many processes as can run at a time, because each reads the headers of all its shards at startup.
 * docs/measurements/2026-11-23-vault-in-one-process.md and docs/measurements/2026-11-21-vault-restart.md have the
 * figures.
 */
export interface AgentLaunch {
  /** Name of the process in its log and in messages, such as `pods-1`. */
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

/** Exit code when all nodes of the process have left the vault, so that it must not be restarted. */
export const DEPARTED_EXIT_CODE = 3;

/**
 * Exit code of a process that was asked to restart and has handed over. It is not 0, so that supervisors that restart
 * only failures start it again.
 */
export const RESTART_EXIT_CODE = 75;

/** Entry point of every node, relative to the repository. */
export const agentEntry = "agents/node/src/main.ts";

export interface LaunchOptions {
  readonly nodeIds: Readonly<Record<AgentRole, readonly string[]>>;
  readonly stashDeviceCount: number;
  readonly processorCount: number;
  /** Sync time of the stash's disk while it is idle; an unknown time counts as slow. */
  readonly syncMs?: number;
  /** Keeps the roles in separate processes, for drills that kill only one role. */
  readonly isDrill?: boolean;
}

/** Minimum number of processors for several processes; with fewer, they only wait for each other. */
const PROCESSORS_FOR_SEVERAL = 4;

/**
 * Threads serve the system calls that wait for a disk. The devices of the stash all sync at once, and uploads wait for
 * them, so there is one thread per device, plus a few for reads.
 */
const STASH_THREADS_MORE = 3;
/**
 * A disk that syncs faster than this serves a few threads as fast as many, and threads that are rarely idle need not be
 * woken for each call. A third of them may sync pods (packages/shard-log/src/node/sync-gate.ts).
 */
const FAST_SYNC_MS = 0.5;
const FAST_DISK_THREAD_COUNT = 12;
/** Threads for all pods together: they sync rarely, and no client waits for them. */
const POD_THREAD_COUNT = 8;
const POD_THREAD_COUNT_MIN = 4;

/**
 * The bodies of uploads make V8 scan a young heap of 20 MB repeatedly, which took a fifth of all CPU time, so the old
 * generation may first grow to this size. A small young generation bounds memory.
 */
const nodeFlags = ["--max-semi-space-size=4", "--initial-old-space-size=48"];

/**
 * Flags for one node in its own process, on a machine whose memory is for the page cache: 6 MB less than with V8's
 * default young generation.
 */
export const nodeFlagsOfOne = ["--max-semi-space-size=2"];

/**
 * Flags for one process with all nodes, which has the memory of several. Buffers count towards that size instead of
 * forcing a collection of their own: collections took more than 2 of the 6 ms of CPU time for a PUT of 256 KiB.
 */
const nodeFlagsOfAll = [
  "--max-semi-space-size=8",
  "--initial-old-space-size=192",
  "--external-memory-accounted-in-global-limit",
];

/**
 * The C library keeps the memory of freed large buffers and a pool per thread unless it is configured otherwise, which
 * takes a hundred megabytes under load.
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

/** Ids of the nodes of each role, in order. */
export function nodeIdsByRole(
  nodes: readonly { readonly id: string; readonly role: AgentRole }[],
): Record<AgentRole, string[]> {
  const select = (role: AgentRole) => nodes.filter((node) => node.role === role).map(({ id }) => id);
  return { pod: select("pod"), stash: select("stash"), coordinator: select("coordinator") };
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
