import { useState } from "react";
import type { MetricsState } from "./use-metrics.ts";

/**
 * True until all states have answers or an error for the first time. Content that waits for this stays while a later query
 * fails or asks for other nodes.
 */
export function useIsFirstAwaited(...states: readonly Pick<MetricsState, "answers" | "error">[]): boolean {
  const isPending = states.some(({ answers, error }) => answers === undefined && error === null);
  const [isFirst, setFirst] = useState(true);
  if (isFirst && !isPending) setFirst(false);
  return isFirst && isPending;
}
