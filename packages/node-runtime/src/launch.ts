/**
 * How the processes of a whole vault on one machine are started: all nodes of a role share one, but for pods, of which
 * there are as many processes as can work at a time, because after a start each reads the headers of all its shards.
 * Measured with `pnpm bench vault` and `vault-restart`; docs/performance.md has the figures.
 */
export interface AgentLaunch {
  readonly role: AgentRole;
  /** `pods-1`; of its log and in what people are shown. */
  readonly name: string;
  /** The nodes that it serves. */
  readonly nodeIds: readonly string[];
  /** From the folder of the repository. */
  readonly entry: string;
  /** Flags of Node.js itself. */
  readonly nodeFlags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export type AgentRole = "pod" | "stash" | "coordinator";

/** From the folder of the repository. */
export const agentEntries: readonly string[] = (["pod", "stash", "coordinator"] as const).map(entryOf);

export interface LaunchOptions {
  readonly nodeIds: Readonly<Record<AgentRole, readonly string[]>>;
  /** Devices that one process serves. */
  readonly stashDeviceCount: number;
  readonly processorCount: number;
}

/** Threads for pods, in all: they sync now and then, and nobody waits. */
const POD_THREAD_COUNT = 8;
const POD_THREAD_COUNT_MIN = 4;

/**
 * The bodies of uploads make V8 look through a young heap of 20 MB again and again, which took a fifth of all
 * processor time: the old generation may grow to this size first. A small young generation keeps memory in bounds.
 */
const nodeFlags = ["--max-semi-space-size=4", "--initial-old-space-size=48"];

/**
 * The C library keeps what large buffers leave behind unless it is told to give them back, and a pool for each thread:
 * a hundred megabytes of the processes under load.
 */
const allocator = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "524288",
};

export function agentLaunches({ nodeIds, stashDeviceCount, processorCount }: LaunchOptions): AgentLaunch[] {
  const podGroups = groupsOf(nodeIds.pod, Math.min(processorCount, nodeIds.pod.length));
  const podThreadCount = Math.max(POD_THREAD_COUNT_MIN, Math.ceil(POD_THREAD_COUNT / podGroups.length));
  const pods = podGroups.map((ids, at) => {
    return launchOf("pod", podGroups.length === 1 ? "pods" : `pods-${at + 1}`, ids, podThreadCount);
  });
  // Threads are for the system calls that wait for a disk: the devices of the stash sync all at once, and whoever
  // uploads waits for them.
  const stash = launchOf("stash", "stash", nodeIds.stash, stashDeviceCount + 3);
  return [...pods, stash, launchOf("coordinator", "coordinator", nodeIds.coordinator, 4)];
}

/** As many of about the same size, in order. */
function groupsOf(ids: readonly string[], count: number): string[][] {
  return Array.from({ length: count }, (_, at) =>
    ids.slice(Math.floor((at * ids.length) / count), Math.floor(((at + 1) * ids.length) / count)),
  );
}

function launchOf(
  role: AgentRole,
  name: string,
  nodeIds: readonly string[],
  threadCount: number,
): AgentLaunch {
  const env = { ...allocator, UV_THREADPOOL_SIZE: String(threadCount) };
  return { role, name, nodeIds, entry: entryOf(role), nodeFlags, env };
}

function entryOf(role: AgentRole): string {
  return `agents/${role}/src/main.ts`;
}
