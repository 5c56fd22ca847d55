import { expect, test } from "vitest";
import { findSteadySince, staleAfterMs } from "./heartbeat.ts";

const steadySince = new Date(0);
const seenAt = new Date(1_000_000);

test.each([
  ["goes on without a gap", 10_000, steadySince],
  ["goes on after a late beat", staleAfterMs, steadySince],
  ["begins anew after a gap", staleAfterMs + 1, new Date(seenAt.getTime() + staleAfterMs + 1)],
])("a heartbeat is written right: it %s", (_, laterMs, expected) => {
  expect(findSteadySince({ steadySince, seenAt }, new Date(seenAt.getTime() + laterMs))).toEqual(expected);
});
