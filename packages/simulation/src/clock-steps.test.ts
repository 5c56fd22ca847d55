import { expect, test } from "vitest";
import { drawOptions, type FaultName } from "./options.ts";
import { run } from "./run.ts";
import type { World } from "./world/world.ts";

const HOUR_MS = 3_600_000;
const faults: readonly FaultName[] = ["power cut", "process crash", "message faults", "pause"];
const roles = {
  "one coordinator": ({ coordinators }: World) => coordinators.slice(0, 1),
  "all coordinators": ({ coordinators }: World) => coordinators,
  "one pod": ({ pods }: World) => pods.slice(0, 1),
  "all pods": ({ pods }: World) => pods,
  "every machine": ({ pods, coordinators }: World) => [...pods, ...coordinators],
};
const seeds = [1, 2, 3, 4];

/** Steps the clocks during the operations, and again before the end, when all clocks agree on the latest time. */
function stepped(seed: number, role: keyof typeof roles, byMs: number) {
  const drawn = drawOptions(seed, faults);
  const options = { ...drawn, coordinatorCount: 2, trial: null };
  const timesMs = options.operations.map(({ atMs }) => atMs).sort((a, b) => a - b);
  const middleMs = timesMs[Math.floor(timesMs.length / 2)] ?? 0;
  const lastMs = Math.max(...timesMs, ...options.faults.map(({ atMs }) => atMs));
  let isStepped = false;
  const result = run(options, {
    begin: (world) => {
      world.queue.schedule(middleMs * 1000, () => {
        isStepped = true;
        for (const { node } of roles[role](world)) node.wallAheadMs += byMs;
      });
      world.queue.schedule((lastMs + 20_000) * 1000, () => {
        for (const { node } of roles["every machine"](world)) node.wallAheadMs = Math.max(0, byMs);
      });
    },
  });
  return { ...result, isStepped };
}

test.each(
  Object.keys(roles).flatMap((role) =>
    [HOUR_MS, -HOUR_MS].map((byMs) => [role as keyof typeof roles, byMs] as const),
  ),
)(
  "no upload is lost, wrong or reordered when the wall clock of %s jumps by %d ms",
  (role, byMs) => {
    for (const seed of seeds) {
      const { violations, isStepped, counters } = stepped(seed, role, byMs);
      expect(violations, `seed ${seed}`).toEqual([]);
      expect(isStepped).toBe(true);
      expect(counters.length).toBeGreaterThan(0);
    }
  },
  120_000,
);
