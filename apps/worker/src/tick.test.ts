import { expect, test, vi } from "vitest";
import { startTicking } from "./tick.ts";

test("a failed run is reported, and later runs still happen", async () => {
  const onError = vi.fn();
  let turns = 0;
  const ticking = startTicking({
    everyMs: 1,
    action: async () => {
      turns++;
      if (turns === 1) throw new Error("the database went away");
    },
    onError,
  });
  await vi.waitFor(() => expect(turns).toBeGreaterThanOrEqual(3), { timeout: 10_000 });
  await ticking.stop();
  expect(onError).toHaveBeenCalledTimes(1);
});

test("stop waits for the run in progress, and no further run begins", async () => {
  const gate = Promise.withResolvers<void>();
  let finished = 0;
  const ticking = startTicking({
    everyMs: 1,
    action: async () => {
      await gate.promise;
      finished++;
    },
    onError: () => {},
  });
  const stopped = ticking.stop();
  expect(finished).toBe(0);
  gate.resolve();
  await stopped;
  expect(finished).toBe(1);
});
