import type { Core } from "../core.ts";
import type { Auth } from "./auth.ts";
import type { Discovery } from "./oidc-discovery.ts";

/** Context of verbs that sign people in, or change how they sign in, in addition to the core. */
export interface WithSignIn extends Core {
  /** Loaded by the first call: a worker signs in no users, and better-auth takes 50 MB of memory. */
  auth(): Promise<Auth>;
  /** The identity provider's endpoints, once discovered; null if the installation has no provider. */
  readonly discovery: Discovery | null;
}
