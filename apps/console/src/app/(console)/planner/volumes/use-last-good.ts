"use client";
import { useState } from "react";

/** The current value, or the last one while there is none, marked as old. */
export function useLastGood<T extends object>(value: T | null): { value: T | null; isOld: boolean } {
  const [kept, setKept] = useState(value);
  if (value !== null && value !== kept) setKept(value);
  return { value: value ?? kept, isOld: value === null && kept !== null };
}
