"use client";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { lazyPart } from "../core/lazy.tsx";
import type { Status } from "../core/status.ts";

export type ToastMessage = {
  title: string;
  description?: string;
  status?: Status;
  action?: { label: string; run: () => void };
};

type Post = (message: ToastMessage) => void;

const PostContext = createContext<Post | null>(null);
const ToastPanel = lazyPart(async () => (await import("./toast-panel.tsx")).ToastPanel);

/** Queues messages until the panel that shows them has loaded; the first message loads it. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<readonly ToastMessage[]>([]);
  const [needed, setNeeded] = useState(false);
  const post = useCallback<Post>((message) => {
    setMessages((waiting) => [...waiting, message]);
    setNeeded(true);
  }, []);
  const onTaken = useCallback((count: number) => setMessages((waiting) => waiting.slice(count)), []);
  return (
    <PostContext value={post}>
      {children}
      {needed && <ToastPanel messages={messages} onTaken={onTaken} />}
    </PostContext>
  );
}

/** Reports an event in a corner and to screen readers. Use a Dialog for anything that needs an answer. */
export function useToast(): Post {
  const post = useContext(PostContext);
  if (!post) throw new Error("useToast needs a ToastProvider around the page.");
  return post;
}

/** Like `useToast`, for components that also appear on pages without toasts; returns null there. */
export const useToastIfAny = (): Post | null => useContext(PostContext);
