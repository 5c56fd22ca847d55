import type { Database } from "@stashlight/db";
import type { Discovery } from "./oidc-discovery.ts";

/** Sign-in by OpenID Connect, when the installation is configured for it. */
export interface OidcOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Special networks, such as private ones, in which the provider may be, in addition to those that an admin allowed. */
  allowedNetworks: readonly string[];
  /** Label of the button: "Sign in with <name>". */
  name: string;
  /** Users who may join without an account: only invited users, or everyone whom the provider authenticates, as viewer. */
  newUsers: "invited" | "viewer";
}

export interface AuthOptions {
  db: Database;
  secret: string;
  publicUrl: string;
  oidc: OidcOptions | null;
  /** Set if and only if `oidc` is. */
  discovery: Discovery | null;
  now: () => Date;
}
