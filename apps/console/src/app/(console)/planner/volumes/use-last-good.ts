"use client";
import { useState } from "react";

/** Returns the value or, while it is null, the previous one, marked as old. */
export function useLastGood<T extends object>(value: T | null): { value: T | null; isOld: boolean } {
  const [kept, setKept] = useState(value);
  if (value !== null && value !== kept) setKept(value);
  return { value: value ?? kept, isOld: value === null && kept !== null };
}
