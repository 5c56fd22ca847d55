"use client";
import { serverNow } from "@stashlight/ui";
import { createContext, type ReactNode, useContext, useState } from "react";

const MeasuredSinceContext = createContext(0);

interface MeasuredSinceProviderProps {
  /** Null before the first window. */
  readonly value: number | null;
  readonly children: ReactNode;
}

/** If nothing was measured at page load, measurement counts from then on. */
export function MeasuredSinceProvider({ value, children }: MeasuredSinceProviderProps) {
  const [loadedAtMs] = useState(() => serverNow());
  return <MeasuredSinceContext value={value ?? loadedAtMs}>{children}</MeasuredSinceContext>;
}

/** Start of the data. */
export const useMeasuredSinceMs = (): number => useContext(MeasuredSinceContext);
