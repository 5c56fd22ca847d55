"use client";
import type { ApiOutputs } from "@stashlight/api";
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../client/trpc.tsx";

export type Settings = ApiOutputs["account"]["settings"];

/** Reloads the settings after a change. */
export function useRefreshSettings(): () => Promise<void> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(trpc.account.settings.queryFilter());
}
