/** Runs a whole fleet at the pace of real agents: each posts its window shortly after it has ended. */
import { setTimeout as delay } from "node:timers/promises";
import { postBatch } from "@stashlight/telemetry";
import { SimulatedAgent, type SimulatedAgentOptions } from "./agent.ts";
import { WINDOW_MS } from "./depths.ts";
import type { FleetNode } from "./plan.ts";
import { uniform } from "./random.ts";

/** Spread of the posts, because the clocks of machines differ and agents do not all post at once. */
const SPREAD_MS = WINDOW_MS / 3;
const POST_TIMEOUT_MS = 30_000;

export interface LiveFleetOptions {
  /**
   * Origins of the ingests, without a path: each agent posts to one, and to the next if that one does not answer. A
   * load balancer counts as one.
   */
  readonly origins: readonly string[];
  readonly agents: readonly { readonly node: FleetNode; readonly key: string; readonly fromMs: number }[];
  readonly onRefused: (node: FleetNode, reason: string) => void;
  readonly signal: AbortSignal;
}

/** Runs until the signal is aborted. */
export async function runFleet({ origins, agents, onRefused, signal }: LiveFleetOptions): Promise<void> {
  const nowMs = Date.now;
  await Promise.all(
    agents.map(async ({ node, key, fromMs }) => {
      const settings = { key: () => key, timeoutMs: POST_TIMEOUT_MS, nowMs };
      const agent = new SimulatedAgent({
        node,
        fromMs,
        nowMs,
        post: inTurns(origins, node.index, (origin, batch) => postBatch({ ...settings, origin }, batch)),
        onRefused: (reason) => onRefused(node, reason),
      });
      while (!signal.aborted) {
        await agent.turn();
        const sinceMs = nowMs() % WINDOW_MS;
        await pause(WINDOW_MS - sinceMs + SPREAD_MS * uniform(node.index, 41), signal);
      }
    }),
  );
}

type Post = SimulatedAgentOptions["post"];

/** Posts to one origin until it becomes unreachable, and then to the next; `first` is the index of the first one. */
export function inTurns(
  origins: readonly string[],
  first: number,
  post: (origin: string, batch: Uint8Array) => ReturnType<Post>,
): Post {
  let turn = first;
  return async (batch) => {
    const result = await post(origins[turn % origins.length] as string, batch);
    if (result.type === "unreachable") turn += 1;
    return result;
  };
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => {});
