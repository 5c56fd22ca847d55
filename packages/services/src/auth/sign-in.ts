import type { Core } from "../core.ts";
import type { Auth } from "./auth.ts";
import type { Discovery } from "./oidc-discovery.ts";

/** What verbs that sign people in, or change how somebody signs in, need besides the core. */
export interface WithSignIn extends Core {
  /** Loaded by the first call: a worker signs nobody in, and better-auth takes 50 MB of memory. */
  auth(): Promise<Auth>;
  /** The identity provider's endpoints, once it has told them; null when the installation has no provider. */
  readonly discovery: Discovery | null;
}
