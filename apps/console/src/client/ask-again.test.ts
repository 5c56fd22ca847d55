import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import { expect, test } from "vitest";
import { askAgain, followFailures } from "./ask-again.ts";

const noAnswer = new Error("no answer");
const refusal = TRPCClientError.from({
  error: { message: "Forbidden", code: -32003, data: { reason: "forbidden" } },
});

/** A client with one active query, whose first answers are `failure`. */
async function failed(failure: Error, failureCount = 1) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let askedCount = 0;
  const queryFn = async () => {
    askedCount += 1;
    if (askedCount <= failureCount) throw failure;
    return "answer";
  };
  const observer = new QueryObserver(client, { queryKey: ["one"], queryFn });
  const stop = observer.subscribe(() => {});
  await expect.poll(() => observer.getCurrentResult().isError).toBe(true);
  const atMs = observer.getCurrentResult().errorUpdatedAt;
  const ask = (nowMs: number) => askAgain(client.getQueryCache(), nowMs);
  return { client, observer, stop, atMs, ask, countAsked: () => askedCount };
}

test("a query that had no answer is asked again once its failure is old enough", async () => {
  const { observer, atMs, ask, countAsked, stop } = await failed(noAnswer);
  ask(atMs + 1_000);
  expect(countAsked()).toBe(1);
  ask(atMs + 2_000);
  await expect.poll(() => observer.getCurrentResult().data).toBe("answer");
  ask(atMs + 9_000);
  expect(countAsked()).toBe(2);
  stop();
});

test("a query that was refused, or that no page shows, is not asked again", async () => {
  const refused = await failed(refusal);
  refused.ask(refused.atMs + 9_000);
  expect(refused.countAsked()).toBe(1);
  refused.stop();
  const unseen = await failed(noAnswer);
  unseen.stop();
  unseen.ask(unseen.atMs + 9_000);
  expect(unseen.countAsked()).toBe(1);
});

test("a query that fails again is asked later each time", async () => {
  const { observer, atMs, ask, countAsked, stop } = await failed(noAnswer, 2);
  ask(atMs + 2_000);
  await expect.poll(() => observer.getCurrentResult().errorUpdateCount).toBe(2);
  const againMs = observer.getCurrentResult().errorUpdatedAt;
  ask(againMs + 3_000);
  expect(countAsked()).toBe(2);
  ask(againMs + 4_000);
  await expect.poll(() => observer.getCurrentResult().data).toBe("answer");
  stop();
});

test("an answer to another query retries a failed one", async () => {
  const { observer, stop, client } = await failed(noAnswer);
  followFailures(client.getQueryCache());
  const other = () => client.fetchQuery({ queryKey: ["other"], queryFn: async () => 1, staleTime: 0 });
  await client.fetchQuery({ queryKey: ["bad"], queryFn: () => Promise.reject(refusal) }).catch(() => {});
  await expect
    .poll(async () => {
      await other();
      return observer.getCurrentResult().data;
    })
    .toBe("answer");
  stop();
});
