/**
 * Discovers the identity provider's endpoints, but only when a user wants to sign in with it: a provider that is silent
 * or down must not affect anything else, and one that recovers is found without a restart.
 */
import { z } from "zod";
import { type AskProvider, askProviderWithin } from "./oidc-request.ts";

const retryAfterMs = 10_000;

const url = z.url({ protocol: /^https?$/ });
const providerDocument = z.object({
  issuer: z.string(),
  authorization_endpoint: url,
  token_endpoint: url,
  userinfo_endpoint: url.optional(),
  jwks_uri: url,
  id_token_signing_alg_values_supported: z.array(z.string()).min(1).default(["RS256"]),
});

export type ProviderDocument = z.infer<typeof providerDocument>;

export interface Discovery {
  /** Null until an attempt has succeeded; then cached. */
  readonly document: ProviderDocument | null;
  /** Sends any other request to the provider. */
  readonly ask: AskProvider;
  /**
   * Requests the document unless it is known or an attempt has just failed. Never rejects; `document` holds the
   * outcome.
   */
  attempt(): Promise<void>;
}

/** `networks` are the special networks in which the provider's addresses may be. */
export function openDiscovery(
  issuer: string,
  networks: () => Promise<readonly string[]>,
  now: () => Date,
): Discovery {
  const ask = askProviderWithin(networks);
  let document: ProviderDocument | null = null;
  let running: Promise<void> | undefined;
  let failedAtMs = Number.NEGATIVE_INFINITY;
  const run = async () => {
    try {
      document = await fetchDocument(issuer, ask);
    } catch (error) {
      failedAtMs = now().getTime();
      console.error(`The identity provider ${issuer} cannot be used: ${describeDiscoveryError(error)}`);
    } finally {
      running = undefined;
    }
  };
  return {
    get document() {
      return document;
    },
    ask,
    attempt: async () => {
      if (document !== null) return;
      if (running === undefined && now().getTime() - failedAtMs < retryAfterMs) return;
      running ??= run();
      await running;
    },
  };
}

async function fetchDocument(issuer: string, ask: AskProvider): Promise<ProviderDocument> {
  const base = withoutEndSlash(issuer);
  const document = providerDocument.parse(await ask({ url: `${base}/.well-known/openid-configuration` }));
  // Otherwise one provider's document could make another provider's tokens acceptable.
  if (withoutEndSlash(document.issuer) !== base) {
    throw new Error(`its discovery document names another issuer, ${document.issuer}`);
  }
  return document;
}

function withoutEndSlash(address: string): string {
  return address.replace(/\/$/, "");
}

function describeDiscoveryError(error: unknown): string {
  if (error instanceof z.ZodError) return `its discovery document is not usable. ${z.prettifyError(error)}`;
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
