"use client";
import type { DashboardRow } from "@stashlight/contracts/dashboard";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTRPC } from "../../../client/trpc.tsx";
import { useOutcome } from "../../../client/use-outcome.ts";

/** Owner actions on a whole dashboard; each refreshes the lists that show it. */
export function useDashboardActions({ id, name, isShared, isStart }: DashboardRow) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const outcome = useOutcome(trpc.dashboard.pathFilter());
  const renew = () => queryClient.invalidateQueries(trpc.dashboard.pathFilter());
  const rename = useMutation(trpc.dashboard.rename.mutationOptions({ onSuccess: renew }));
  const share = useMutation(trpc.dashboard.share.mutationOptions());
  const start = useMutation(trpc.dashboard.setStart.mutationOptions());
  const remove = useMutation(trpc.dashboard.delete.mutationOptions());
  return {
    rename: (next: string) => rename.mutateAsync({ dashboardId: id, name: next }),
    toggleShared: () =>
      share.mutate(
        { dashboardId: id, isShared: !isShared },
        outcome({
          done: isShared ? `“${name}” is private again` : `“${name}” is shared`,
          ...(isShared ? {} : { description: "Every signed-in user can read it." }),
          failed: `“${name}” was not changed`,
        }),
      ),
    toggleStart: () => {
      const { onSuccess, ...rest } = outcome({
        done: isStart ? "The Overview is your start page again" : `“${name}” is your start page`,
        failed: "Your start page was not changed",
      });
      start.mutate(
        { dashboardId: isStart ? null : id },
        {
          ...rest,
          onSuccess: () => {
            onSuccess();
            // Refreshes the page frame, whose link to the Overview has changed.
            router.refresh();
          },
        },
      );
    },
    remove: async () => {
      await remove.mutateAsync({ dashboardId: id });
      // Not refetched, so that a reader who has it open sees that it was deleted.
      queryClient.removeQueries({
        ...trpc.dashboard.get.queryFilter({ dashboardId: id }),
        type: "inactive",
      });
      await queryClient.invalidateQueries(trpc.dashboard.list.queryFilter());
      if (isStart) router.refresh();
    },
  };
}
