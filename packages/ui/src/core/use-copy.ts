"use client";
import { useEffect, useRef, useState } from "react";

const SHOWN_MS = 2000;

export type CopyState = "idle" | "copied" | "failed";

/** Copies text, and reports for two seconds whether it worked: browsers refuse the clipboard on plain-HTTP hosts. */
export function useCopy(): { state: CopyState; copy: (text: string) => Promise<void> } {
  const [state, setState] = useState<CopyState>("idle");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (text: string) => {
    clearTimeout(timer.current);
    setState((await writeClipboard(text)) ? "copied" : "failed");
    timer.current = setTimeout(() => setState("idle"), SHOWN_MS);
  };
  return { state, copy };
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyThroughSelection(text);
  }
}

// Falls back to the old copy command, because the console is often reached by a bare address over HTTP.
function copyThroughSelection(text: string): boolean {
  const area = document.createElement("textarea");
  const focused = document.activeElement;
  area.value = text;
  area.setAttribute("aria-hidden", "true");
  area.style.position = "fixed";
  area.style.opacity = "0";
  (focused?.closest("[role=dialog]") ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}
