"use client";
import { serverNow } from "@stashlight/ui";
import { useState } from "react";
import { type AskedTime, nextAsked } from "./asked-time.ts";
import { usePageTime } from "./page-time.tsx";

/** The time to query. Call `moveOn` with the time of the last answer, or with null while one is pending. */
export function useAskedTime() {
  const { expressions, range, nowMs } = usePageTime();
  const page: AskedTime = { expressions, range };
  const [{ asked, askedAtMs }, setAsked] = useState(() => ({ asked: page, askedAtMs: serverNow() }));
  const current = nextAsked(asked, page, { askedAtMs, answeredAtMs: null }, nowMs);
  const moveOn = (answeredAtMs: number | null) => {
    const next = nextAsked(current, page, { askedAtMs, answeredAtMs }, nowMs);
    if (next !== asked) setAsked({ asked: next, askedAtMs: serverNow() });
  };
  return { range: current.range, moveOn };
}
