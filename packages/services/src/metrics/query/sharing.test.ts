import { openMetricClient } from "@stashlight/db/metrics";
import { afterEach, expect, test, vi } from "vitest";
import { sharing } from "./sharing.ts";

/** Connects on first use, which these tests never reach. */
const openStore = () =>
  openMetricClient({
    url: "postgres://nobody@127.0.0.1:1/none",
    purpose: "tool",
    applicationName: "test",
    connectionsMax: 1,
  });

/** A question that the test answers explicitly. */
function heldBack() {
  const asked: (readonly unknown[])[] = [];
  const answers: PromiseWithResolvers<string>[] = [];
  const ask = sharing((_, ...parameters: readonly (string | undefined)[]) => {
    asked.push(parameters);
    const answer = Promise.withResolvers<string>();
    answers.push(answer);
    return answer.promise;
  });
  return { ask, asked, answers };
}

test("concurrent requests share one answer, and later requests get a new one", async () => {
  const { ask, asked, answers } = heldBack();
  const metrics = openStore();
  const both = [ask(metrics, "a"), ask(metrics, "a")];
  answers[0]?.resolve("first");
  expect(await Promise.all(both)).toEqual(["first", "first"]);
  const next = ask(metrics, "a");
  answers[1]?.resolve("second");
  expect(await next).toBe("second");
  expect(asked).toEqual([["a"], ["a"]]);
});

test("different queries, and queries to different stores, have separate answers", () => {
  const { ask, asked } = heldBack();
  const metrics = openStore();
  void ask(metrics, "a");
  void ask(metrics, "b");
  void ask(openStore(), "a");
  expect(asked).toEqual([["a"], ["b"], ["a"]]);
});

test("a failure rejects all concurrent requests, and no later one", async () => {
  const { ask, answers } = heldBack();
  const metrics = openStore();
  const both = [ask(metrics, "a"), ask(metrics, "a")];
  answers[0]?.reject(new Error("the store is away"));
  for (const each of both) await expect(each).rejects.toThrow("the store is away");
  const next = ask(metrics, "a");
  answers[1]?.resolve("here again");
  expect(await next).toBe("here again");
});

test.each([
  [500, 2],
  [501, 1],
])(
  "for %i rows requested twice within five seconds the store is queried %i times",
  async (rowCount, askedCount) => {
    vi.useFakeTimers();
    let count = 0;
    const ask = sharing(
      async () => {
        count += 1;
        return new Array<number>(rowCount).fill(count);
      },
      ({ length }) => length,
    );
    const metrics = openStore();
    await ask(metrics);
    vi.advanceTimersByTime(4900);
    await ask(metrics);
    expect(count).toBe(askedCount);
    vi.advanceTimersByTime(200);
    await ask(metrics);
    expect(count).toBe(askedCount + 1);
  },
);

afterEach(() => {
  vi.useRealTimers();
});
