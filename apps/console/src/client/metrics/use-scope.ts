"use client";
import { useQueryState } from "nuqs";
import { useMemo } from "react";
import { scopeParam, scopeParser } from "./chosen-search.ts";
import { useKnownVaults } from "./known-vaults.tsx";
import { resolveScope, type Scope } from "./scope.ts";
import { useVaultInView } from "./vault-in-view.tsx";

const parser = scopeParser.withOptions({ history: "push" });

/** The URL's choice; null without one. Back undoes a change. */
export function useChosenVaults() {
  const [chosen, setChosen] = useQueryState(scopeParam, parser);
  return { chosen, setChosen: (next: string[] | null) => void setChosen(next) };
}

/** Vaults that the page covers. Queries about a place name its nodes, so they are not restricted further. */
export function useScope(): Scope {
  const known = useKnownVaults();
  const { chosen } = useChosenVaults();
  const inView = useVaultInView();
  return useMemo(
    () =>
      inView === null ? resolveScope(chosen, known) : { ...resolveScope([inView], known), asked: undefined },
    [inView, chosen, known],
  );
}
