import type { Core } from "../core.ts";
import type { Auth } from "./auth.ts";
import type { Discovery } from "./oidc-discovery.ts";

/** Parts of the context for verbs that sign users in, or change how they sign in. */
export interface WithSignIn extends Core {
  /** Loaded on first use: a worker signs in no users, and better-auth takes 50 MB of memory. */
  auth(): Promise<Auth>;
  /** The identity provider's endpoints, once discovered; null if the installation has no provider. */
  readonly discovery: Discovery | null;
}
