"use client";
import { Skeleton } from "@stashlight/ui/feedback";
import { useScope } from "../../../client/metrics/use-scope.ts";

export const MAP_PX = 360;
/** Maps of more vaults are looked at one by one, on the page of the vaults. */
export const MAPS_MAX = 4;

/** As high as the maps; otherwise the sections below them would count as near the view, and load before those in it. */
export function MapsSkeleton() {
  const { vaults } = useScope();
  return <Skeleton width="100%" height={MAP_PX * Math.min(Math.max(1, vaults.length), MAPS_MAX)} />;
}
