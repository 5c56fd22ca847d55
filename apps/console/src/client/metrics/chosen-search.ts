"use client";
/** Kept apart from the code that parses ranges and scopes, because the frame of every page loads this file. */
import { parseAsArrayOf, parseAsString, useQueryStates } from "nuqs";

/**
 * URL parameter of the scope; defined here because every page's frame needs it, and the module that parses it is not in
 * the frame.
 */
export const scopeParam = "scope";
export const scopeParser = parseAsArrayOf(parseAsString);

const parsers = { from: parseAsString, to: parseAsString, [scopeParam]: scopeParser };

/**
 * Search string that carries the chosen time and vaults to another page; empty without a choice. Pages without charts
 * carry the scope too, so that it is not lost between them. A choice takes effect at once: the address changes only
 * after the page has rendered again, which may take longer than a click on the next link.
 */
export function useChosenSearch(): { readonly timeAndScope: string; readonly scope: string } {
  const [{ from, to, scope }] = useQueryStates(parsers);
  const toSearch = (values: Readonly<Record<string, string | null>>): string => {
    const chosen = Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
    return chosen.length === 0 ? "" : `?${new URLSearchParams(chosen).toString()}`;
  };
  const written = { [scopeParam]: scope === null ? null : scopeParser.serialize(scope) };
  return { timeAndScope: toSearch({ from, to, ...written }), scope: toSearch(written) };
}
