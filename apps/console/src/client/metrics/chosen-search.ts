"use client";
/** Separate from the code that reads a range or a scope, because each page has it in its frame. */
import { parseAsArrayOf, parseAsString, useQueryStates } from "nuqs";

/** URL parameter of the scope; here, because the module that reads it is not in the frame. */
export const scopeParam = "scope";
export const scopeParser = parseAsArrayOf(parseAsString);

const parsers = { from: parseAsString, to: parseAsString, [scopeParam]: scopeParser };

/**
 * Search string that carries this page's choices to another page; empty without a choice. Pages without charts carry
 * the scope too, so that it is not lost between them. It follows a choice at once: the address changes only after the
 * page has been rendered again, which may take longer than a click on the next link.
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
