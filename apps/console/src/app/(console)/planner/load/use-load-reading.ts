"use client";
import type { ImportedLoad } from "@stashlight/planner/load-log";
import { useEffect, useRef, useState } from "react";
import type { LoadMessage, LoadProgress, LoadQuestion } from "./messages.ts";

export type LoadReading =
  | { readonly state: "idle" }
  | { readonly state: "reading"; readonly progress: LoadProgress | null; readonly startedMs: number }
  | { readonly state: "done"; readonly load: ImportedLoad }
  | { readonly state: "failed"; readonly sentence: string };

const NO_WORKER =
  "This browser could not start reading. Reload the page, or use plan --from-log on the command line.";

/** Runs one reading at a time, in a worker that ends with it. */
export function useLoadReading() {
  const worker = useRef<Worker | null>(null);
  const [reading, setReading] = useState<LoadReading>({ state: "idle" });

  const end = (next: LoadReading): void => {
    worker.current?.terminate();
    worker.current = null;
    setReading(next);
  };

  useEffect(() => () => worker.current?.terminate(), []);

  const start = (question: LoadQuestion): void => {
    worker.current?.terminate();
    const started = new Worker(new URL("./load.worker.ts", import.meta.url), { type: "module" });
    worker.current = started;
    setReading({ state: "reading", progress: null, startedMs: performance.now() });
    started.addEventListener("message", ({ data }: MessageEvent<LoadMessage>) => {
      if (worker.current !== started) return;
      if (data.type === "done") end({ state: "done", load: data.load });
      else if (data.type === "failed") end({ state: "failed", sentence: data.sentence });
      else setReading((before) => (before.state === "reading" ? { ...before, progress: data } : before));
    });
    started.addEventListener("error", () => {
      if (worker.current === started) end({ state: "failed", sentence: NO_WORKER });
    });
    started.postMessage(question);
  };

  return { reading, start, cancel: () => end({ state: "idle" }) };
}
