/**
 * The identity provider in the form that better-auth's sign-in and callback endpoints expect. better-auth's own generic
 * plugin fetches the discovery document when it is created, without a time limit, and does not accept one.
 */
import type { BetterAuthPlugin } from "better-auth";
import { APIError } from "better-auth/api";
import { createAuthorizationURL, type OAuthProvider } from "better-auth/oauth2";
import type { Discovery, ProviderDocument } from "./oidc-discovery.ts";
import { type Claims, exchangeCode } from "./oidc-exchange.ts";
import type { OidcOptions } from "./options.ts";
import { askProvider, providerAnswer } from "./provider-exchange.ts";

const oidcProviderId = "oidc";

export function oidcPlugin(oidc: OidcOptions, discovery: Discovery): BetterAuthPlugin {
  const provider = oidcProvider(oidc, discovery);
  return {
    id: oidcProviderId,
    init: (context) => ({ context: { socialProviders: [...context.socialProviders, provider] } }),
  };
}

function oidcProvider(oidc: OidcOptions, discovery: Discovery): OAuthProvider<Claims> {
  const { clientId, clientSecret, name } = oidc;
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
        options: { clientId, clientSecret },
        authorizationEndpoint: known(discovery).authorization_endpoint,
        scopes: ["openid", "email", "profile"],
        state,
        codeVerifier,
        redirectURI,
        nonce: idTokenNonce,
        loginHint,
      }),
    validateAuthorizationCode: async (code) =>
      askProvider(() => exchangeCode(discovery, oidc, code))?.tokens ?? null,
    getUserInfo: async ({ expectedIdTokenNonce }) => {
      const data = providerAnswer()?.claims ?? null;
      if (data === null) return null;
      if (expectedIdTokenNonce === undefined || data.nonce !== expectedIdTokenNonce) {
        console.error("The identity provider's answer was refused: the ID token answers another sign-in");
        return null;
      }
      const { email, email_verified: emailVerified, name, picture: image } = data;
      return { user: { email, emailVerified, name, image }, data };
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
