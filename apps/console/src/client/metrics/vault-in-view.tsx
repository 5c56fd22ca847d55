"use client";
import { createContext, type ReactNode, useContext } from "react";

const VaultContext = createContext<string | null>(null);

/** Marks the charts inside as charts of one vault or of one of its nodes. */
export function VaultInView({ vault, children }: { vault: string | null; children: ReactNode }) {
  return <VaultContext value={vault}>{children}</VaultContext>;
}

/** Null on pages about all vaults. */
export const useVaultInView = (): string | null => useContext(VaultContext);
