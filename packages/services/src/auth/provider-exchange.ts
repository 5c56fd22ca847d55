/**
 * Sends requests to the identity provider between two transactions, never inside one, because a slow provider must not
 * hold a database connection. A callback runs twice. The first run records the request that better-auth would send, and
 * rolls back, so that the state is not consumed. The request is sent, and the second run gets the answer and commits.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { ProviderAnswer } from "./oidc-exchange.ts";

interface ProviderExchange {
  ask: (() => Promise<ProviderAnswer>) | null;
  answer: ProviderAnswer | null;
}

const exchanges = new AsyncLocalStorage<ProviderExchange>();
const unanswered = new Error("rolled back in order to ask the identity provider");

/** `serve` is one transaction, and calls `assertProviderAnswered` before it commits. */
export async function serveWithProvider<Result>(serve: () => Promise<Result>): Promise<Result> {
  const turn: ProviderExchange = { ask: null, answer: null };
  try {
    return await exchanges.run(turn, serve);
  } catch (error) {
    if (error !== unanswered || turn.ask === null) throw error;
  }
  turn.answer = await turn.ask();
  return exchanges.run(turn, serve);
}

export function assertProviderAnswered(): void {
  const turn = exchanges.getStore();
  if (turn !== undefined && turn.ask !== null && turn.answer === null) throw unanswered;
}

/** Returns the answer; null in the first pass, which records the request to send before the second. */
export function askProvider(ask: () => Promise<ProviderAnswer>): ProviderAnswer | null {
  const turn = exchanges.getStore();
  if (turn === undefined) throw new Error("the identity provider was needed outside a callback");
  turn.ask = ask;
  return turn.answer;
}

export function providerAnswer(): ProviderAnswer | null {
  return exchanges.getStore()?.answer ?? null;
}
