"use client";
/** Asks a vault's coordinator about its buckets, and waits for the answer. */
import type { AppRouter } from "@stashlight/api";
import {
  type BucketAnswer,
  type BucketQuestionState,
  bucketAnswerWithinMs,
  bucketQuestionOpenMs,
} from "@stashlight/contracts/bucket";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { TRPCClient } from "@trpc/client";
import { describeError } from "../../../client/errors.ts";
import { useTRPCClient } from "../../../client/trpc.tsx";

const POLL_EVERY_MS = 500;
/** Grace period, because the coordinator sends an answer with its next request. */
const ANSWER_TRAVELS_MS = 3_000;
/** Never polls by itself, because the coordinator has to scan a bucket for each answer. */
const askedOnce = { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, retry: false } as const;

/** Thrown if no answer came or the coordinator refused. The message is for the operator. */
export class QuestionFailure extends Error {
  readonly title: string;

  constructor(title: string, message: string) {
    super(message);
    this.title = title;
  }
}

type Client = TRPCClient<AppRouter>;
type AnswerOf<Type extends BucketAnswer["type"]> = Extract<BucketAnswer, { type: Type }>;

/** Rejects with a QuestionFailure. */
export async function waitForAnswer<Type extends BucketAnswer["type"]>(
  { bucket }: Client,
  vault: string,
  { asked, type }: { readonly asked: { readonly questionId: string }; readonly type: Type },
  signal?: AbortSignal,
): Promise<AnswerOf<Type>> {
  const startMs = performance.now();
  for (;;) {
    const state = await bucket.read.query(asked, { signal });
    if (state.state === "answered") return readAnswer(state.answer, type);
    const failure = describeSilence(state, vault, performance.now() - startMs);
    if (failure !== null) throw failure;
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}

function readAnswer<Type extends BucketAnswer["type"]>(answer: BucketAnswer, type: Type): AnswerOf<Type> {
  if (answer.type === type) return answer as AnswerOf<Type>;
  const reason =
    answer.type === "refused" ? answer.reason : "The coordinator answered a different question. Try again.";
  throw new QuestionFailure("The coordinator refused", reason);
}

/** Explains why no answer came; null while one may still come. */
export function describeSilence(
  state: Exclude<BucketQuestionState, { state: "answered" }>,
  vault: string,
  waitedMs: number,
): QuestionFailure | null {
  if (state.state === "waiting") {
    if (waitedMs < bucketQuestionOpenMs + ANSWER_TRAVELS_MS) return null;
    return new QuestionFailure(
      `No coordinator of ${vault} answers`,
      `No coordinator picked up the question within ${bucketQuestionOpenMs / 1000} s, so nothing was read or changed. The coordinators are down, older than this console, or reach the ingest without TLS.`,
    );
  }
  if (waitedMs < bucketAnswerWithinMs) return null;
  return new QuestionFailure(
    "No answer arrived",
    `${state.coordinator} took the question more than ${bucketAnswerWithinMs / 1000} s ago and may have stopped. A change may have been made: load the bucket again to see its rules.`,
  );
}

export function describeFailure(error: unknown): string {
  return error instanceof QuestionFailure ? error.message : describeError(error);
}

export const viewKey = (vault: string, bucket: string) => ["bucket-view", vault, bucket] as const;

export function useBucketView(vault: string, bucket: string) {
  const client = useTRPCClient();
  return useQuery({
    ...askedOnce,
    queryKey: viewKey(vault, bucket),
    queryFn: async ({ signal }) => {
      const asked = await client.bucket.ask.mutate({ vault, question: { type: "view", bucket } });
      return await waitForAnswer(client, vault, { asked, type: "view" }, signal);
    },
  });
}

/** Loads the vault's buckets whose names begin with the prefix, by name. */
export function useBuckets(vault: string, prefix: string) {
  const client = useTRPCClient();
  return useInfiniteQuery({
    ...askedOnce,
    queryKey: ["buckets", vault, prefix],
    queryFn: async ({ pageParam: after, signal }) => {
      const asked = await client.bucket.ask.mutate({ vault, question: { type: "list", prefix, after } });
      return await waitForAnswer(client, vault, { asked, type: "list" }, signal);
    },
    initialPageParam: "",
    getNextPageParam: ({ buckets, isTruncated }) => (isTruncated ? (buckets.at(-1)?.name ?? null) : null),
  });
}
