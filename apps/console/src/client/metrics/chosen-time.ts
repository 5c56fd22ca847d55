"use client";
/** Apart from what reads a range, because each page has it in its frame. */
import { useSearchParams } from "next/navigation";

/** Put behind the path of another page, it shows the time that was chosen on this one; empty when none was. */
export function useChosenTimeSearch(): string {
  const params = useSearchParams();
  const chosen = ["from", "to"].flatMap((name) => {
    const value = params.get(name);
    return value === null ? [] : [[name, value]];
  });
  return chosen.length === 0 ? "" : `?${new URLSearchParams(chosen).toString()}`;
}
