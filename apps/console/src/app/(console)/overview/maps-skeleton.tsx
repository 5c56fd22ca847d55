"use client";
import { Skeleton } from "@stashlight/ui/feedback";
import { useScope } from "../../../client/metrics/use-scope.ts";

export const MAP_PX = 360;
/** Further vaults have their maps on the Vaults page only. */
export const MAPS_MAX = 4;

/** As high as the maps; otherwise sections below would count as near the viewport and load before the visible ones. */
export function MapsSkeleton() {
  const { vaults } = useScope();
  return <Skeleton width="100%" height={MAP_PX * Math.min(Math.max(1, vaults.length), MAPS_MAX)} />;
}
