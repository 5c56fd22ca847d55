/**
 * How the processes of a whole vault on one machine are started: all nodes of a role share one. Measured with
 * `pnpm bench vault`; docs/performance.md has the figures.
 */
export interface AgentLaunch {
  readonly role: "pod" | "stash" | "coordinator";
  /** From the folder of the repository. */
  readonly entry: string;
  /** Of Node.js itself. */
  readonly nodeFlags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The bodies of uploads make V8 look through a young heap of 20 MB again and again, which took a fifth of all
 * processor time: the old generation may grow to this size first. A small young generation keeps memory in bounds.
 */
const nodeFlags = ["--max-semi-space-size=4", "--initial-old-space-size=48"];

/**
 * The C library keeps what large buffers leave behind unless it is told to give them back, and a pool for each thread:
 * a hundred megabytes of the three processes under load.
 */
const allocator = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "524288",
};

/** `stashDeviceCount`: devices that one process serves. */
export function agentLaunches(stashDeviceCount: number): AgentLaunch[] {
  // Threads are for the system calls that wait for a disk: the devices of the stash sync all at once, and whoever
  // uploads waits for them; pods sync now and then, and nobody waits.
  const threadCounts = { pod: 8, stash: stashDeviceCount + 3, coordinator: 4 };
  return (["pod", "stash", "coordinator"] as const).map((role) => ({
    role,
    entry: `agents/${role}/src/main.ts`,
    nodeFlags,
    env: { ...allocator, UV_THREADPOOL_SIZE: String(threadCounts[role]) },
  }));
}
