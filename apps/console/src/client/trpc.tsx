"use client";
import type { AppRouter } from "@stashlight/api";
import { pageTransformer } from "@stashlight/contracts/wire";
import { noteServerTime } from "@stashlight/ui";
import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, splitLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useEffect, useState } from "react";
import { toProblem } from "./errors.ts";
import { signInPath } from "./sign-in.ts";

const context = createTRPCContext<AppRouter>();
export const useTRPC = context.useTRPC;
/** For calls made step by step rather than by a query hook. */
export const useTRPCClient = context.useTRPCClient;

const leaving = new AbortController();

/**
 * Cancels pending queries, and sends no more until the page is reloaded. Called before signing out: otherwise a chart's
 * next query would be refused, and the refusal would set this page as the destination of the next sign-in.
 */
export const stopAsking = (): void => leaving.abort();

const askUntilLeaving: typeof fetch = async (input, init) => {
  const { signal } = leaving;
  const answer = await fetch(input, {
    ...init,
    signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal,
  });
  const sentAtMs = Date.parse(answer.headers.get("date") ?? "");
  if (!Number.isNaN(sentAtMs)) noteServerTime(sentAtMs);
  return answer;
};

const linkOptions = {
  url: "/api/trpc",
  transformer: pageTransformer,
  maxItems: 20,
  fetch: askUntilLeaving,
} as const;
/** Longest address that servers accept. */
const urlLengthMax = 8_000;
/** Number of node ids or vault names that fit into such an address. */
const countInUrlMax = 100;

interface LongInput {
  readonly nodeIds?: readonly string[];
  readonly vaults?: readonly string[];
  readonly where?: { readonly vault?: readonly string[] };
}

function isLong(input: unknown): boolean {
  const { nodeIds, vaults, where } = (input ?? {}) as LongInput;
  return [nodeIds, vaults, where?.vault].some((list) => (list?.length ?? 0) > countInUrlMax);
}

export function createApiClient() {
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ input }) => isLong(input),
        true: httpBatchLink({ ...linkOptions, methodOverride: "POST" }),
        false: httpBatchLink({ ...linkOptions, maxURLLength: urlLengthMax }),
      }),
    ],
  });
}

const retryCountMax = 2;
const helpsToRetry = new Set(["network", "unavailable", "internal"]);

/** Leads from a session that ended elsewhere to sign-in, and back to the same page. */
function onUnauthenticated(error: unknown): void {
  if (toProblem(error).reason !== "unauthenticated") return;
  location.assign(signInPath(`${location.pathname}${location.search}`));
}

/** Repeats failed queries; loaded after the page, to keep pages small. */
const startAskingAgain = async (cache: QueryCache) => (await import("./ask-again.ts")).followFailures(cache);

export function ApiProvider({ children }: { children: ReactNode }) {
  const [client] = useState(createApiClient);
  const [queryClient] = useState(
    () =>
      new QueryClient({
        queryCache: new QueryCache({ onError: onUnauthenticated }),
        defaultOptions: {
          queries: {
            staleTime: 5_000,
            retry: (failureCount, error) =>
              failureCount < retryCountMax && helpsToRetry.has(toProblem(error).reason),
          },
          mutations: { onError: onUnauthenticated },
        },
      }),
  );
  useEffect(() => void startAskingAgain(queryClient.getQueryCache()).catch(() => {}), [queryClient]);
  return (
    <QueryClientProvider client={queryClient}>
      <context.TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </context.TRPCProvider>
    </QueryClientProvider>
  );
}
