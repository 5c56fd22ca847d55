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

/** Keeps what was said until the panel that shows it has been fetched, which the first message causes. */
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

/** Says in a corner, and to screen readers, that something has happened. What must be answered is a Dialog instead. */
export function useToast(): Post {
  const post = useContext(PostContext);
  if (!post) throw new Error("useToast needs a ToastProvider around the page.");
  return post;
}

/** The same for what also stands on pages that say nothing in corners; null there. */
export const useToastIfAny = (): Post | null => useContext(PostContext);
