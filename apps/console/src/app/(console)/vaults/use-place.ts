"use client";
import { parseAsString, useQueryStates } from "nuqs";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import type { PlaceNames } from "./fleet.ts";

const parsers = { vault: parseAsString, node: parseAsString, device: parseAsString };

/** Names in the URL that select the page's place in the fleet. */
export function usePlaceNames(): PlaceNames {
  const [names] = useQueryStates(parsers);
  return names;
}

/** Returns the address of a place, with the page's time. */
export function usePlaceHref(): (names: Partial<Record<keyof PlaceNames, string>>) => string {
  const { search } = usePageTime();
  return (names) => {
    const query = new URLSearchParams(search);
    for (const [name, value] of Object.entries(names)) query.set(name, value);
    return `/vaults?${query.toString()}`;
  };
}
