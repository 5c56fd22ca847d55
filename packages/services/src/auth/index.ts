export { handleAuth } from "./handler.ts";
export type { OidcOptions } from "./options.ts";
export { resolvePrincipal } from "./principal.ts";
