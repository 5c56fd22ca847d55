"use client";
import type { KnownVault } from "@stashlight/contracts/vault";
import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext } from "react";
import { useTRPC } from "../trpc.tsx";

const VaultsContext = createContext<readonly KnownVault[]>([]);
const REFETCH_MS = 60_000;

interface KnownVaultsProps {
  /** Vaults at page load, so that the first queries cover the right ones. */
  readonly value: KnownVault[];
  readonly children: ReactNode;
}

/** Every vault of the installation, for all pages. */
export function KnownVaults({ value, children }: KnownVaultsProps) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.vault.list.queryOptions(undefined, {
      initialData: value,
      staleTime: REFETCH_MS,
      refetchInterval: REFETCH_MS,
    }),
  );
  return <VaultsContext value={data}>{children}</VaultsContext>;
}

export const useKnownVaults = (): readonly KnownVault[] => useContext(VaultsContext);
