"use client";
import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { backdropClass } from "../core/popup.ts";
import { Button } from "../form/button.tsx";

export type DrawerProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  brand: ReactNode;
  children: ReactNode;
};

/** Navigation on a phone. */
export function Drawer({ open, onOpenChange, title, brand, children }: DrawerProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col gap-4 border-r border-line-strong bg-canvas p-3 outline-none transition-opacity duration-[120ms] data-ending-style:opacity-0 data-starting-style:opacity-0">
          <div className="flex h-9 items-center justify-between">
            <Dialog.Title className="sr-only">{title}</Dialog.Title>
            {brand}
            <Dialog.Close
              render={<Button variant="quiet" aria-label="Close" icon={<X aria-hidden="true" />} />}
            />
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
