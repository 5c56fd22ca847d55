"use client";
import { useState } from "react";
import { type AskedTime, nextAsked } from "./asked-time.ts";
import { usePageTime } from "./page-time.tsx";

/** The time to ask for. Call `moveOn` with whether all that was asked is answered. */
export function useAskedTime() {
  const { expressions, range } = usePageTime();
  const page: AskedTime = { expressions, range };
  const [asked, setAsked] = useState(page);
  const current = nextAsked(asked, page, false);
  const moveOn = (isSettled: boolean) => {
    const next = nextAsked(current, page, isSettled);
    if (next !== asked) setAsked(next);
  };
  return { range: current.range, moveOn };
}
