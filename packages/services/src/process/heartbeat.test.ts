import { expect, test } from "vitest";
import { findSteadySince, staleAfterMs } from "./heartbeat.ts";

const steadySince = new Date(0);
const seenAt = new Date(1_000_000);

test.each([
  ["continues without a gap", 10_000, steadySince],
  ["continues after a late heartbeat", staleAfterMs, steadySince],
  ["starts over after a gap", staleAfterMs + 1, new Date(seenAt.getTime() + staleAfterMs + 1)],
])("the span of steady heartbeats %s", (_, laterMs, expected) => {
  expect(findSteadySince({ steadySince, seenAt }, new Date(seenAt.getTime() + laterMs))).toEqual(expected);
});
