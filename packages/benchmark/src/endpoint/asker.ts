/** Untimed requests to an endpoint, for clean-ups and connection tests. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Exchange, TimedConnection, type WireRequest } from "../wire/connection.ts";
import type { Driver } from "./driver.ts";
import { EndpointError } from "./explain-failure.ts";
import { type EndpointFailure, isTransient } from "./failure.ts";
import { type EndpointTarget, toWireTarget } from "./target.ts";

export interface Answer {
  readonly exchange: Exchange;
  readonly headers: ReadonlyMap<string, string>;
  readonly status: number | null;
  readonly text: string;
  readonly failure: EndpointFailure | null;
}

export interface AskerOptions {
  readonly target: EndpointTarget;
  readonly driver: Driver;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const NO_HEADERS: ReadonlyMap<string, string> = new Map();
const ATTEMPT_COUNT_MAX = 4;
const FIRST_WAIT_MS = 200;

export class Asker {
  readonly connection: TimedConnection;
  readonly #options: AskerOptions;

  constructor(options: AskerOptions) {
    this.#options = options;
    this.connection = new TimedConnection(toWireTarget(options.target));
  }

  /**
   * Rejects when aborted, or with an EndpointError if the signing credential cannot be renewed. Any other failure is
   * part of the answer, which includes the body of the response.
   */
  async ask(make: (driver: Driver) => WireRequest): Promise<Answer> {
    const { driver, timeoutMs, signal } = this.#options;
    await driver.renew(signal);
    const request = { ...make(driver), keepsBody: true };
    const exchange = await this.connection.exchange(request, { timeoutMs, signal });
    const answered = exchange.result.kind === "answered" ? exchange.result : null;
    return {
      exchange,
      headers: answered?.headers ?? NO_HEADERS,
      status: answered?.status ?? null,
      text: exchange.responseBody.toString("utf8"),
      failure: driver.failureOf(exchange),
    };
  }

  /** Sends the same request, retrying for a limited time where that may help; rejects with an EndpointError. */
  async insist(make: (driver: Driver) => WireRequest): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.ask(make);
      const { failure } = answer;
      if (failure === null) return answer;
      if (!isTransient(failure) || attempt === ATTEMPT_COUNT_MAX)
        throw new EndpointError(failure, this.#options.target);
      const { signal } = this.#options;
      await sleep(FIRST_WAIT_MS * 2 ** attempt, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  close(): void {
    this.connection.close();
  }
}
