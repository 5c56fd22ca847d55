"use client";
import type { NodeRow } from "@stashlight/contracts/node";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type NodeStanding, standingOf } from "../../../../client/nodes.ts";
import { useTRPC } from "../../../../client/trpc.tsx";

/** A row of the table, with how the node stands at this moment. */
export type ListedNode = NodeRow & { standing: NodeStanding };

/** All nodes, asked for again and again, so that one that enrols or falls silent shows by itself. */
export function useNodes({ everyMs = 5_000 }: { everyMs?: number } = {}) {
  const trpc = useTRPC();
  const query = useQuery(trpc.node.list.queryOptions(undefined, { refetchInterval: everyMs }));
  const rows = useMemo(
    (): ListedNode[] => (query.data ?? []).map((node) => ({ ...node, standing: standingOf(node) })),
    [query.data],
  );
  return { query, rows };
}
