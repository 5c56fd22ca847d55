"use client";
import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { useEffect } from "react";
import type { Status } from "../core/status.ts";
import { buttonClass } from "../form/button.tsx";
import { StatusShape } from "./status.tsx";
import type { ToastMessage } from "./toast.tsx";

type ToastData = { status: Status };
export type ToastPanelProps = { messages: readonly ToastMessage[]; onTaken: (count: number) => void };

const manager = Toast.createToastManager<ToastData>();

/** Takes and shows queued messages. */
export function ToastPanel({ messages, onTaken }: ToastPanelProps) {
  useEffect(() => {
    if (messages.length === 0) return;
    for (const message of messages) show(message);
    onTaken(messages.length);
  }, [messages, onTaken]);
  return (
    <Toast.Provider timeout={6000} limit={4} toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 z-60 flex w-88 max-w-[calc(100vw-2rem)] flex-col gap-2 outline-none">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function show({ title, description, status = "info", action }: ToastMessage): void {
  manager.add({
    title,
    description,
    data: { status },
    // Failures interrupt a screen reader and stay until they are dismissed.
    priority: status === "bad" ? "high" : "low",
    timeout: status === "bad" ? 0 : undefined,
    actionProps: action && { children: action.label, onClick: action.run },
  });
}

function ToastList() {
  const { toasts } = Toast.useToastManager<ToastData>();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection={["right", "down"]}
      // Base UI hides the toast, or only its button, from screen readers until Tab focuses it.
      aria-hidden={false}
      className="rounded-md border border-line-strong bg-raised shadow-overlay transition-opacity duration-[120ms] data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-2.5 p-3">
        <span className="flex h-5 items-center">
          <StatusShape status={toast.data?.status ?? "info"} />
        </span>
        <div className="min-w-0 flex-1">
          <Toast.Title className="text-base font-medium text-ink" />
          <Toast.Description className="text-base text-muted" />
          <Toast.Action className={`${buttonClass("secondary", "sm")} mt-2`} />
        </div>
        <Toast.Close
          aria-label="Dismiss"
          aria-hidden={false}
          className="-m-1 grid size-7 place-items-center rounded-sm text-faint hover:bg-hover hover:text-ink"
        >
          <X size={14} aria-hidden="true" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
