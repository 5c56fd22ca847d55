/**
 * What the identity provider says about itself. Asked for when somebody wants to sign in by it and at no other time:
 * a provider that is silent or down must take nothing with it, and one that comes back is found without a restart.
 */
import { z } from "zod";

const discoveryTimeoutMs = 5_000;
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
  /** Null until an attempt has succeeded; then kept. */
  readonly document: ProviderDocument | null;
  /** Asks the provider unless it is known or has failed moments ago. Never rejects; `document` tells the outcome. */
  attempt(): Promise<void>;
}

export function openDiscovery(issuer: string, now: () => Date): Discovery {
  let document: ProviderDocument | null = null;
  let running: Promise<void> | undefined;
  let failedAtMs = Number.NEGATIVE_INFINITY;
  const run = async () => {
    try {
      document = await fetchDocument(issuer);
    } catch (error) {
      failedAtMs = now().getTime();
      console.error(`The identity provider ${issuer} cannot be used: ${reasonOf(error)}`);
    } finally {
      running = undefined;
    }
  };
  return {
    get document() {
      return document;
    },
    attempt: async () => {
      if (document !== null) return;
      if (running === undefined && now().getTime() - failedAtMs < retryAfterMs) return;
      running ??= run();
      await running;
    },
  };
}

async function fetchDocument(issuer: string): Promise<ProviderDocument> {
  const base = withoutEndSlash(issuer);
  const response = await fetch(`${base}/.well-known/openid-configuration`, {
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(discoveryTimeoutMs),
  });
  if (!response.ok) throw new Error(`its discovery document was answered with status ${response.status}`);
  const document = providerDocument.parse(await response.json());
  // Else one provider's document could make tokens of another acceptable.
  if (withoutEndSlash(document.issuer) !== base) {
    throw new Error(`its discovery document names another issuer, ${document.issuer}`);
  }
  return document;
}

function withoutEndSlash(address: string): string {
  return address.replace(/\/$/, "");
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return `its discovery document is not usable. ${z.prettifyError(error)}`;
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
