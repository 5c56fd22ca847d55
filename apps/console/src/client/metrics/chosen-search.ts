"use client";
/** Apart from what reads a range or a scope, because each page has it in its frame. */
import { useSearchParams } from "next/navigation";

/** A scope's name in the URL; here, because the module that reads one is not in the frame. */
export const scopeParam = "scope";

/**
 * Put behind the path of another page, they show there what was chosen on this one; empty where nothing was. Pages
 * without charts carry the scope too, so that it is not lost on the way over them.
 */
export function useChosenSearch(): { readonly timeAndScope: string; readonly scope: string } {
  const params = useSearchParams();
  const searchOf = (...names: readonly string[]): string => {
    const chosen = names.flatMap((name) => {
      const value = params.get(name);
      return value === null ? [] : [[name, value]];
    });
    return chosen.length === 0 ? "" : `?${new URLSearchParams(chosen).toString()}`;
  };
  return { timeAndScope: searchOf("from", "to", scopeParam), scope: searchOf(scopeParam) };
}
