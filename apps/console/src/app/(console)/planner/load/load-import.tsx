"use client";
import { lazyWhenOpen } from "@stashlight/ui";
import { Button } from "@stashlight/ui/form";
import { FileUp } from "lucide-react";
import { useDialog } from "../../../../client/use-dialog.ts";
import type { PlanState } from "../use-plan.ts";

const LoadDialog = lazyWhenOpen(async () => (await import("./load-dialog.tsx")).LoadDialog);

/** Opens the dialog that fills a plan's load from logs. */
export function LoadImport({ plan }: { plan: PlanState }) {
  const dialog = useDialog<true>();
  return (
    <>
      <Button icon={<FileUp aria-hidden="true" />} onClick={() => dialog.show(true)}>
        Fill from a log
      </Button>
      <LoadDialog key={dialog.key} plan={plan} open={dialog.open} onOpenChange={dialog.setOpen} />
    </>
  );
}
