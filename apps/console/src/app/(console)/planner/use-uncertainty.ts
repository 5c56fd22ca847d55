"use client";
import type { StashPlanInput, UncertainRange } from "@stashlight/planner";
import { useEffect, useRef, useState } from "react";
import type { UncertaintyAnswer, UncertaintyQuestion } from "./monte-carlo.worker.ts";

/** A fixed seed gives the same uncertainty for the same question. */
const SEED = 7;

/** The newest answer; `isOutdated` while it belongs to other inputs than the page's. */
export function useUncertainty(input: StashPlanInput, ranges: readonly UncertainRange[] | null) {
  const worker = useRef<Worker | null>(null);
  /** Numbers requests. While one is running, only the newest later request is kept. */
  const asked = useRef<{ id: number; isBusy: boolean; next: UncertaintyQuestion | null }>({
    id: 0,
    isBusy: false,
    next: null,
  });
  const [askedId, setAskedId] = useState(0);
  const [answer, setAnswer] = useState<UncertaintyAnswer | null>(null);
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    const started = new Worker(new URL("./monte-carlo.worker.ts", import.meta.url), { type: "module" });
    started.addEventListener("message", ({ data }: MessageEvent<UncertaintyAnswer>) => {
      setAnswer(data);
      const { next } = asked.current;
      asked.current = { ...asked.current, isBusy: next !== null, next: null };
      if (next !== null) started.postMessage(next);
    });
    started.addEventListener("error", () => setFailed(true));
    worker.current = started;
    return () => {
      worker.current = null;
      asked.current = { ...asked.current, isBusy: false, next: null };
      started.terminate();
    };
  }, []);

  useEffect(() => {
    if (ranges === null || worker.current === null) return;
    const question: UncertaintyQuestion = { id: asked.current.id + 1, input, ranges, seed: SEED };
    asked.current = { ...asked.current, id: question.id };
    setAskedId(question.id);
    if (asked.current.isBusy) {
      asked.current.next = question;
      return;
    }
    asked.current.isBusy = true;
    worker.current.postMessage(question);
  }, [input, ranges]);

  const isOutdated = answer !== null && answer.id !== askedId;
  return { answer: answer?.answer ?? null, isOutdated, hasFailed };
}
