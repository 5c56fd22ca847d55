import type { UploadHeader } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { listInRounds, type RoundOutcome } from "./list-in-rounds.ts";

const PAGE = 1000;
const keyAt = (number: number): string => `old/${String(number).padStart(5, "0")}`;
const kept = { bucket: "photos", key: "z" } as UploadHeader;

/**
 * Pods that disagree whether the objects below "old/" are deleted: a page that leaves keys out ends at the first of
 * them, and one with all keys after a thousand.
 */
function disagreeing(count: number) {
  const delimiters: string[] = [];
  const ask = async ({ after, delimiter }: { after: string; delimiter: string }): Promise<RoundOutcome> => {
    delimiters.push(delimiter);
    const first = Array.from({ length: count }, (_, number) => keyAt(number)).findIndex((key) => key > after);
    const end = first < 0 ? count : first + (delimiter === "" ? PAGE : 1);
    if (end >= count) return { type: "listed", uploads: [kept], truncatedAfter: null };
    return { type: "listed", uploads: [], truncatedAfter: keyAt(end - 1) };
  };
  return { ask, delimiters };
}

test("a common prefix about which pods disagree costs a round for each thousand of its keys", async () => {
  const { ask, delimiters } = disagreeing(4000);
  const range = { prefix: "", delimiter: "/", after: "", keyCountMax: PAGE };
  expect(await listInRounds(range, ask)).toEqual({ uploads: [kept], isTruncated: false });
  expect(delimiters).toEqual(["/", "", "", "", ""]);
});

test("one key per common prefix is requested again after a page with objects, and a full page is truncated", async () => {
  const pages: RoundOutcome[] = [
    { type: "listed", uploads: [], truncatedAfter: "a/1" },
    { type: "listed", uploads: [kept], truncatedAfter: "z" },
    { type: "listed", uploads: [kept], truncatedAfter: "z" },
  ];
  const rounds: object[] = [];
  const range = { prefix: "", delimiter: "/", after: "", keyCountMax: 2 };
  const ask = async (round: object) => {
    rounds.push(round);
    return pages[rounds.length - 1] as RoundOutcome;
  };
  expect(await listInRounds(range, ask)).toEqual({ uploads: [kept, kept], isTruncated: true });
  expect(rounds).toEqual([
    { prefix: "", delimiter: "/", after: "", keyCountMax: 2 },
    { prefix: "", delimiter: "", after: "a/1", keyCountMax: 2 },
    { prefix: "", delimiter: "/", after: "z", keyCountMax: 1 },
  ]);
});
