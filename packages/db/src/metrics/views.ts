/**
 * Views for people and tools that use SQL: one row per window or bucket and series, with readable names. They belong to
 * the runtime role, which may read the underlying tables; readers of the views need no other permission.
 *
 * docs/metrics.md documents their columns.
 */
import { RESOLUTIONS } from "./retention.ts";

export const viewSchema = "bi";
/** Role that may read only the views; a dashboard's login becomes a member of it. */
export const readerRole = "stashlight_reader";

export const metricViews: readonly string[] = RESOLUTIONS.flatMap((resolution) =>
  ["histogram", "gauge", "counter"].map((kind) => `${kind}_${resolution}`),
);
