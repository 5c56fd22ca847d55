"use client";
import type { DashboardPanelRow } from "@stashlight/contracts/dashboard";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useOutcome } from "../../../../client/use-outcome.ts";

/** Owner actions on one chart. Each refreshes the dashboard, because another tab may have changed it. */
export function usePanelActions(dashboardId: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const shown = trpc.dashboard.get.queryFilter({ dashboardId });
  const outcome = useOutcome(shown);
  const rename = useMutation(
    trpc.dashboard.renamePanel.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(shown),
    }),
  );
  const move = useMutation(trpc.dashboard.movePanel.mutationOptions());
  const remove = useMutation(trpc.dashboard.removePanel.mutationOptions());
  return {
    rename: (panelId: string, title: string) => rename.mutateAsync({ panelId, title }),
    move: ({ id, title }: DashboardPanelRow, beforePanelId: string | null) =>
      move.mutate(
        { panelId: id, beforePanelId },
        outcome({ done: `“${title}” was moved`, failed: `“${title}” was not moved` }),
      ),
    remove: ({ id, title }: DashboardPanelRow) =>
      remove.mutate(
        { panelId: id },
        outcome({ done: `“${title}” was removed`, failed: `“${title}” was not removed` }),
      ),
  };
}
