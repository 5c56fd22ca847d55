"use client";
import type { ApiOutputs } from "@stashlight/api";
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../client/trpc.tsx";

export type Settings = ApiOutputs["account"]["settings"];

/** Asks for the settings again after a change. */
export function useRefreshSettings(): () => Promise<void> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(trpc.account.settings.queryFilter());
}
