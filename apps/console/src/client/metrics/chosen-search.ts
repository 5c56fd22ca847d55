"use client";
/** Apart from what reads a range or a scope, because each page has it in its frame. */
import { parseAsArrayOf, parseAsString, useQueryStates } from "nuqs";

/** A scope's name in the URL; here, because the module that reads one is not in the frame. */
export const scopeParam = "scope";
export const scopeParser = parseAsArrayOf(parseAsString);

const parsers = { from: parseAsString, to: parseAsString, [scopeParam]: scopeParser };

/**
 * Put behind the path of another page, they show there what was chosen on this one; empty where nothing was. Pages
 * without charts carry the scope too, so that it is not lost on the way over them. They follow a choice at once: the
 * address changes only after the page has been drawn anew, which may take longer than the way to the next link.
 */
export function useChosenSearch(): { readonly timeAndScope: string; readonly scope: string } {
  const [{ from, to, scope }] = useQueryStates(parsers);
  const searchOf = (values: Readonly<Record<string, string | null>>): string => {
    const chosen = Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
    return chosen.length === 0 ? "" : `?${new URLSearchParams(chosen).toString()}`;
  };
  const written = { [scopeParam]: scope === null ? null : scopeParser.serialize(scope) };
  return { timeAndScope: searchOf({ from, to, ...written }), scope: searchOf(written) };
}
