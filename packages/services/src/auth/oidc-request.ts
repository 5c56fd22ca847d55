/** All requests to the identity provider: discovery, tokens, keys and user information. */
import { z } from "zod";
import { requestOutbound } from "../outbound/request.ts";

export interface ProviderQuestion {
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request to the provider if its address is allowed; rejects with the reason, for the log. */
export type AskProvider = (question: ProviderQuestion) => Promise<Record<string, unknown>>;

const timeoutMs = 5_000;
/** Discovery documents and key sets have a few kilobytes. */
const answerBytesMax = 1_000_000;
const remedy =
  'Name its network in STASHLIGHT_OIDC_NETWORKS, or allow it under "Allowed networks" on the page Channels.';

/**
 * The provider's own document names most of these addresses, so each is checked, not only the issuer's. Redirects are
 * refused, because one could carry the client's secret to another server.
 */
export function askProviderWithin(networks: () => Promise<readonly string[]>): AskProvider {
  return async ({ url, method = "GET", headers = {}, body }) => {
    const { status, body: answer } = await requestOutbound({
      url,
      method,
      headers: { accept: "application/json", "user-agent": "stashlight", ...headers },
      ...(body === undefined ? {} : { body }),
      allowedCidrs: await networks(),
      timeoutMs,
      answerBytesMax,
      remedy,
    });
    const path = new URL(url).pathname;
    if (status >= 300 && status < 400)
      throw new Error(`${path} was answered with the redirect ${status}, which is not followed`);
    if (status !== 200) throw new Error(`${path} was answered with status ${status}`);
    return z.record(z.string(), z.unknown()).parse(JSON.parse(answer));
  };
}
