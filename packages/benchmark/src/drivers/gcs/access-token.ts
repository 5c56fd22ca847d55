/** Access token, requested before the run's requests and renewed between them, never within a sample. */
import { isIP } from "node:net";
import type { ServiceAccount } from "@stashlight/contracts/endpoint";
import { z } from "zod";
import { EndpointError } from "../../endpoint/explain-failure.ts";
import { failureOfStatus } from "../../endpoint/failure.ts";
import { type EndpointTarget, wireTargetAt } from "../../endpoint/target.ts";
import { type Exchange, TimedConnection } from "../../wire/connection.ts";
import { signAssertion } from "./assertion.ts";

/** Tokens with at most this much time left are renewed, because no single request takes longer. */
const RENEWED_BEFORE_MS = 600_000;
const TIMEOUT_MS = 20_000;
const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:jwt-bearer";

const tokenAnswerSchema = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,8000}$/),
  expires_in: z.number().min(1).max(86_400),
});
const tokenErrorSchema = z.object({ error: z.string() });

export class AccessToken {
  readonly #account: ServiceAccount;
  readonly #target: EndpointTarget;
  readonly #nowMs: () => number;
  #token: string | null = null;
  #expiresMs = 0;

  constructor(account: ServiceAccount, target: EndpointTarget, nowMs: () => number) {
    this.#account = account;
    this.#target = target;
    this.#nowMs = nowMs;
  }

  /** May be read only after a renewal. */
  get value(): string {
    if (this.#token === null) throw new Error("The access token is used before it was requested.");
    return this.#token;
  }

  /** Requests a token unless the current one is valid for long enough; rejects with an EndpointError. */
  async renew(signal: AbortSignal): Promise<void> {
    if (this.#token !== null && this.#expiresMs - this.#nowMs() > RENEWED_BEFORE_MS) return;
    const exchange = await this.#ask(signal);
    const failure = failureOfStatus(exchange, this.#nowMs(), ({ body }) => ({ code: errorCodeIn(body) }));
    if (failure !== null) throw new EndpointError(failure, this.#place);
    const answer = tokenAnswerSchema.safeParse(jsonIn(exchange.responseBody));
    if (!answer.success)
      throw new EndpointError({ kind: "answered", code: "NoAccessToken", status: 200 }, this.#place);
    this.#token = answer.data.access_token;
    this.#expiresMs = this.#nowMs() + answer.data.expires_in * 1000;
  }

  async #ask(signal: AbortSignal): Promise<Exchange> {
    const { token_uri: url } = this.#account;
    const { host, pathname, search } = new URL(url);
    const connection = new TimedConnection(wireTargetAt(url, this.#address, this.#target.caPem));
    const assertion = signAssertion(this.#account, this.#nowMs());
    const form = new URLSearchParams({ grant_type: GRANT_TYPE, assertion }).toString();
    const head = `POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: ${form.length}\r\n\r\n`;
    const request = {
      method: "POST",
      first: Buffer.from(head + form, "latin1"),
      rest: null,
      keepsBody: true,
    } as const;
    try {
      return await connection.exchange(request, { timeoutMs: TIMEOUT_MS, signal });
    } finally {
      connection.close();
    }
  }

  /** Resolved and checked by the caller, together with the endpoint's own address. */
  get #address(): string {
    const { tokenAddress } = this.#target;
    if (tokenAddress === null || isIP(tokenAddress) === 0)
      throw new Error("The address of the token server was not resolved.");
    return tokenAddress;
  }

  /** Names the host that failed in each failure. */
  get #place() {
    return { ...this.#target, url: new URL(this.#account.token_uri).origin };
  }
}

function errorCodeIn(body: Buffer): string | undefined {
  const error = tokenErrorSchema.safeParse(jsonIn(body));
  return error.success && error.data.error === "invalid_grant" ? "InvalidGrant" : "TokenRefused";
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}
