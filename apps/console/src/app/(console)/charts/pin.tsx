"use client";
import type { MetricPanel } from "@stashlight/contracts/metrics";
import { lazyWhenOpen } from "@stashlight/ui";
import { createContext, type ReactNode, useContext } from "react";
import { useDialog } from "../../../client/use-dialog.ts";

export interface Pinned {
  readonly panel: MetricPanel;
  readonly title: string;
}

const PinContext = createContext<((pinned: Pinned) => void) | null>(null);

const PinDialog = lazyWhenOpen(async () => (await import("../dashboards/pin-dialog.tsx")).PinDialog);

/** One dialog for all charts of a page. */
export function PinProvider({ children }: { children: ReactNode }) {
  const { key, open, subject, show, setOpen } = useDialog<Pinned>();
  return (
    <PinContext value={show}>
      {children}
      {subject !== null && <PinDialog key={key} pinned={subject} open={open} onOpenChange={setOpen} />}
    </PinContext>
  );
}

/** Asks which dashboard a chart is pinned to. */
export function usePin(): (pinned: Pinned) => void {
  const pin = useContext(PinContext);
  if (pin === null) throw new Error("Charts are pinned within a PinProvider.");
  return pin;
}
