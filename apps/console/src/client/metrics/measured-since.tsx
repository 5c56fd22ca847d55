"use client";
import { serverNow } from "@stashlight/ui";
import { createContext, type ReactNode, useContext, useState } from "react";

const MeasuredSinceContext = createContext(0);

interface MeasuredSinceProviderProps {
  /** Null before the first window. */
  readonly value: number | null;
  readonly children: ReactNode;
}

/**
 * Provides the start of the data. If nothing was measured at page load, that is the time of the
 * load.
 */
export function MeasuredSinceProvider({ value, children }: MeasuredSinceProviderProps) {
  const [loadedAtMs] = useState(() => serverNow());
  return <MeasuredSinceContext value={value ?? loadedAtMs}>{children}</MeasuredSinceContext>;
}

/** Start of the data. */
export const useMeasuredSinceMs = (): number => useContext(MeasuredSinceContext);
