/** Lets the demo load write while the vault has space to spare, and holds it back otherwise. */

export interface FreeSpaceGateOptions {
  /** Used share of the space for objects; null if the vault does not report it. */
  readonly readFill: () => Promise<number | null>;
  readonly stopShare: number;
  /** Writing resumes below this share. It is lower than `stopShare`, or one delete would let one write pass. */
  readonly resumeShare: number;
  readonly everyMs: number;
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Called once when writing stops, and once when it resumes. */
  readonly observe: (event: { type: "stopped" | "again"; fill: number | null }) => void;
}

/**
 * Resolves when writing is allowed. A vault that does not report its fill does not hold writes back, because it refuses
 * uploads that it cannot store.
 */
export function createFreeSpaceGate(options: FreeSpaceGateOptions): () => Promise<void> {
  const { readFill, stopShare, resumeShare, everyMs, nowMs, sleep, observe } = options;
  let askAgainMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (nowMs() < askAgainMs) return;
    for (let isStopped = false; ; ) {
      const fill = await readFill();
      askAgainMs = nowMs() + everyMs;
      const limit = isStopped ? resumeShare : stopShare;
      if (fill === null || fill < limit) {
        if (isStopped) observe({ type: "again", fill });
        return;
      }
      if (!isStopped) observe({ type: "stopped", fill });
      isStopped = true;
      await sleep(everyMs);
    }
  };
}
