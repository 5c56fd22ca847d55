/**
 * The identity provider as better-auth's sign-in and callback endpoints know one. better-auth's own generic plugin
 * fetches the discovery document when it is made, without a time limit, and cannot be handed one.
 */
import type { BetterAuthPlugin } from "better-auth";
import { APIError } from "better-auth/api";
import {
  authorizationCodeRequest,
  createAuthorizationURL,
  getOAuth2Tokens,
  type OAuthProvider,
  verifyJwsAccessToken,
} from "better-auth/oauth2";
import { z } from "zod";
import type { Discovery, ProviderDocument } from "./oidc-discovery.ts";
import type { OidcOptions } from "./options.ts";

const oidcProviderId = "oidc";
/** Three of these fit into the transaction that a callback runs in. */
const requestTimeoutMs = 4_000;

const claimsSchema = z.object({
  sub: z.string().min(1),
  nonce: z.string().optional(),
  email: z.string().optional(),
  // Some providers write it as text; whatever else it may be, it verifies nothing.
  email_verified: z.union([z.boolean(), z.stringbool()]).catch(false),
  name: z.string().optional().catch(undefined),
  picture: z.string().optional().catch(undefined),
});
type Claims = z.infer<typeof claimsSchema>;
type Tokens = ReturnType<typeof getOAuth2Tokens>;

export function oidcPlugin(oidc: OidcOptions, discovery: Discovery): BetterAuthPlugin {
  const provider = oidcProvider(oidc, discovery);
  return {
    id: oidcProviderId,
    init: (context) => ({ context: { socialProviders: [...context.socialProviders, provider] } }),
  };
}

function oidcProvider(oidc: OidcOptions, discovery: Discovery): OAuthProvider<Claims> {
  const { clientId, clientSecret, name } = oidc;
  const credentials = { clientId, clientSecret };
  return {
    id: oidcProviderId,
    name,
    get issuer() {
      return discovery.document?.issuer;
    },
    requiresIdTokenNonce: true,
    accountSubject: ({ profile }) => profile.sub,
    createAuthorizationURL: ({ state, codeVerifier, redirectURI, idTokenNonce, loginHint }) =>
      createAuthorizationURL({
        id: oidcProviderId,
        options: credentials,
        authorizationEndpoint: known(discovery).authorization_endpoint,
        scopes: ["openid", "email", "profile"],
        state,
        codeVerifier,
        redirectURI,
        nonce: idTokenNonce,
        loginHint,
      }),
    validateAuthorizationCode: async ({ code, codeVerifier, redirectURI }) => {
      const tokenEndpoint = known(discovery).token_endpoint;
      const exchange = { code, codeVerifier, redirectURI, options: credentials, tokenEndpoint };
      const { body, headers } = await authorizationCodeRequest(exchange);
      return getOAuth2Tokens(await requestJson(tokenEndpoint, { method: "POST", body, headers }));
    },
    getUserInfo: async ({ expectedIdTokenNonce, ...tokens }) => {
      try {
        const data = await readClaims(known(discovery), clientId, tokens, expectedIdTokenNonce);
        const { email, email_verified: emailVerified, name, picture: image } = data;
        return { user: { email, emailVerified, name, image }, data };
      } catch (error) {
        // better-auth sends the browser back with a code for this, and the audit log keeps that.
        console.error(`The identity provider's answer was refused: ${String(error)}`);
        return null;
      }
    },
  };
}

function known(discovery: Discovery): ProviderDocument {
  if (discovery.document !== null) return discovery.document;
  throw new APIError("FAILED_DEPENDENCY", {
    code: "provider_unavailable",
    message: "The identity provider does not answer; sign in with a password, or try again in a moment.",
  });
}

/** Who signed in, by the verified ID token; its e-mail address may be left to the provider's user information. */
async function readClaims(
  document: ProviderDocument,
  clientId: string,
  { idToken, accessToken }: Tokens,
  expectedNonce: string | undefined,
): Promise<Claims> {
  if (idToken === undefined || expectedNonce === undefined)
    throw new Error("an ID token or its nonce is missing");
  const payload = await verifyJwsAccessToken(idToken, {
    jwksFetch: async () => keySetSchema.parse(await requestJson(document.jwks_uri)),
    jwksCacheKey: document,
    verifyOptions: {
      issuer: document.issuer,
      audience: clientId,
      algorithms: document.id_token_signing_alg_values_supported,
      requiredClaims: ["exp", "iat", "sub"],
    },
  });
  const claims = claimsSchema.parse(payload);
  if (claims.nonce !== expectedNonce) throw new Error("the ID token answers another sign-in");
  if (claims.email !== undefined || document.userinfo_endpoint === undefined) return claims;
  const headers = { authorization: `Bearer ${accessToken}` };
  const information = claimsSchema.parse(await requestJson(document.userinfo_endpoint, { headers }));
  if (information.sub !== claims.sub) throw new Error("the user information is about somebody else");
  return { ...claims, ...information };
}

const keySetSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** Never follows a redirect: it could carry the client's secret, or reach into the network of this server. */
async function requestJson(url: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const signal = AbortSignal.timeout(requestTimeoutMs);
  const response = await fetch(url, { ...init, redirect: "error", signal });
  if (!response.ok) throw new Error(`${new URL(url).pathname} was answered with status ${response.status}`);
  return z.record(z.string(), z.unknown()).parse(await response.json());
}
