import { expect, test } from "vitest";
import { inTurns } from "./live.ts";

test("an agent stays with its ingest until it becomes unreachable, and then uses the next", async () => {
  const posted: string[] = [];
  let isAway = (_: string): boolean => false;
  const post = inTurns(["a", "b", "c"], 4, async (origin) => {
    posted.push(origin);
    return isAway(origin) ? { type: "unreachable", reason: "gone" } : { type: "accepted", skewMs: 0 };
  });
  const batch = new Uint8Array();
  await post(batch);
  await post(batch);
  isAway = (origin) => origin === "b";
  expect(await post(batch)).toMatchObject({ type: "unreachable" });
  await post(batch);
  isAway = () => true;
  await post(batch);
  await post(batch);
  expect(posted.join("")).toBe("bbbcca");
});
