import type { Database } from "@stashlight/db";
import type { Discovery } from "./oidc-discovery.ts";

/** Sign-in by OpenID Connect, when the installation is configured for it. */
export interface OidcOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /**
   * Special networks, such as private ones, that the provider may be in, in addition to those that an admin allowed.
   */
  allowedNetworks: readonly string[];
  /** Label of the button: "Sign in with <name>". */
  name: string;
  /** Users to admit without an account: only invited ones, or everyone whom the provider authenticates, as viewer. */
  newUsers: "invited" | "viewer";
}

export interface AuthOptions {
  db: Database;
  secret: string;
  publicUrl: string;
  oidc: OidcOptions | null;
  /** Present when `oidc` is. */
  discovery: Discovery | null;
  now: () => Date;
}
