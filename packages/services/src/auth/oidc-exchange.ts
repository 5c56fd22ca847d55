/**
 * Requests to the identity provider after it has redirected a browser back: tokens for the code, and the user's
 * identity.
 */
import { authorizationCodeRequest, getOAuth2Tokens, verifyJwsAccessToken } from "better-auth/oauth2";
import { z } from "zod";
import type { Discovery, ProviderDocument } from "./oidc-discovery.ts";
import type { AskProvider } from "./oidc-request.ts";
import type { OidcOptions } from "./options.ts";

const claimsSchema = z.object({
  sub: z.string().min(1),
  nonce: z.string().optional(),
  email: z.string().optional(),
  // Some providers send it as text; any other value counts as unverified.
  email_verified: z.union([z.boolean(), z.stringbool()]).catch(false),
  name: z.string().optional().catch(undefined),
  picture: z.string().optional().catch(undefined),
});
export type Claims = z.infer<typeof claimsSchema>;
export type Tokens = ReturnType<typeof getOAuth2Tokens>;

export interface ProviderAnswer {
  /** Null if the provider did not accept the code. */
  tokens: Tokens | null;
  /** Null if the tokens do not prove who signed in. */
  claims: Claims | null;
}

export interface AuthorizationCode {
  code: string;
  codeVerifier?: string | undefined;
  redirectURI: string;
}

/** Never rejects: failures are null, and the reason is in the log. */
export async function exchangeCode(
  { document, ask }: Pick<Discovery, "document" | "ask">,
  oidc: OidcOptions,
  code: AuthorizationCode,
): Promise<ProviderAnswer> {
  const answer: ProviderAnswer = { tokens: null, claims: null };
  // The failed discovery has already logged the reason.
  if (document === null) return answer;
  try {
    answer.tokens = await fetchTokens(ask, document, oidc, code);
    answer.claims = await readClaims(ask, document, oidc.clientId, answer.tokens);
  } catch (error) {
    // better-auth redirects the browser with a code for this, which the audit log records.
    console.error(`The identity provider's answer was refused: ${String(error)}`);
  }
  return answer;
}

async function fetchTokens(
  ask: AskProvider,
  { token_endpoint: tokenEndpoint }: ProviderDocument,
  { clientId, clientSecret }: OidcOptions,
  { code, codeVerifier, redirectURI }: AuthorizationCode,
): Promise<Tokens> {
  const options = { clientId, clientSecret };
  const verifier = codeVerifier === undefined ? {} : { codeVerifier };
  const request = { code, ...verifier, redirectURI, options, tokenEndpoint };
  const { body, headers } = await authorizationCodeRequest(request);
  return getOAuth2Tokens(await ask({ url: tokenEndpoint, method: "POST", body: body.toString(), headers }));
}

/** Identifies the user by the verified ID token; the e-mail address may come from the provider's user information. */
async function readClaims(
  ask: AskProvider,
  document: ProviderDocument,
  clientId: string,
  { idToken, accessToken }: Tokens,
): Promise<Claims> {
  if (idToken === undefined) throw new Error("an ID token is missing");
  const payload = await verifyJwsAccessToken(idToken, {
    jwksFetch: async () => keySetSchema.parse(await ask({ url: document.jwks_uri })),
    jwksCacheKey: document,
    verifyOptions: {
      issuer: document.issuer,
      audience: clientId,
      algorithms: document.id_token_signing_alg_values_supported,
      requiredClaims: ["exp", "iat", "sub"],
    },
  });
  const claims = claimsSchema.parse(payload);
  if (claims.email !== undefined || document.userinfo_endpoint === undefined) return claims;
  const headers = { authorization: `Bearer ${accessToken}` };
  const information = claimsSchema.parse(await ask({ url: document.userinfo_endpoint, headers }));
  if (information.sub !== claims.sub) throw new Error("the user information is about another person");
  // The nonce binds the ID token to this sign-in, so only the token may contain it.
  return { ...claims, ...information, nonce: claims.nonce };
}

const keySetSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });
