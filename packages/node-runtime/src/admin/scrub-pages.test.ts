import { expect, test } from "vitest";
import { AdminError } from "./admin-server.ts";
import { scrubActions, scrubPages } from "./scrub-pages.ts";

/** Drives that record the requests they receive. */
function bench() {
  const asked: string[] = [];
  const hosts = ["p3", "p7"].map((address) => ({
    address,
    state: { type: "running", lifecycle: "settled" },
    damage: () => ({ corruptCount: 0 }),
    scrubReport: () => ({ recordsVerified: 4 }),
    startScrub: (rate: number | null) => asked.push(`${address} starts at ${rate}`),
    stopScrub: () => asked.push(`${address} stops`),
  })) as never;
  const [[, action] = []] = scrubActions(hosts);
  const act = action as (body: unknown) => object;
  return { asked, act, page: () => scrubPages(hosts)[0]?.[1]() };
}

test.each([
  [{ action: "start" }, ["p3 starts at null", "p7 starts at null"]],
  [{ action: "start", drives: ["p7"], bytesPerSecond: 50_000 }, ["p7 starts at 50000"]],
  [{ action: "stop" }, ["p3 stops", "p7 stops"]],
  [{ action: "stop", drives: ["p3"] }, ["p3 stops"]],
])("the request %j has the effect %j and returns the page", (body, expected) => {
  const { asked, act, page } = bench();
  expect(act(body)).toEqual(page());
  expect(asked).toEqual(expected);
});

test.each([
  [{}, 400],
  [{ action: "pause" }, 400],
  [{ action: "start", drives: [] }, 400],
  [{ action: "start", bytesPerSecond: 0 }, 400],
  [{ action: "stop", bytesPerSecond: 50_000 }, 400],
  [{ action: "start", drives: ["p3", "p9"] }, 404],
])("%j is refused with %i, and no drive is touched", (body, status) => {
  const { asked, act } = bench();
  expect(() => act(body)).toThrow(expect.objectContaining({ status, constructor: AdminError }));
  expect(asked).toEqual([]);
});

test("the page has every drive with its state, damage and scrub", () => {
  expect(bench().page()).toEqual({
    drives: ["p3", "p7"].map((address) => ({
      address,
      state: { type: "running", lifecycle: "settled" },
      damage: { corruptCount: 0 },
      scrub: { recordsVerified: 4 },
    })),
  });
});
