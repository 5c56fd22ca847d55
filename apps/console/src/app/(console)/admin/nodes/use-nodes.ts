"use client";
import type { NodeRow } from "@stashlight/contracts/node";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type NodeState, nodeState } from "../../../../client/nodes.ts";
import { useTRPC } from "../../../../client/trpc.tsx";

/** A table row with the node's current state. */
export type ListedNode = NodeRow & { state: NodeState };

/** All nodes, polled so that new or silent ones appear without a reload. */
export function useNodes({ everyMs = 5_000 }: { everyMs?: number } = {}) {
  const trpc = useTRPC();
  const query = useQuery(trpc.node.list.queryOptions(undefined, { refetchInterval: everyMs }));
  const rows = useMemo(
    (): ListedNode[] => (query.data ?? []).map((node) => ({ ...node, state: nodeState(node) })),
    [query.data],
  );
  return { query, rows };
}
