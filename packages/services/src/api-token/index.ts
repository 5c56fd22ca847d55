export { authenticateApiToken, requireScope, type TokenContext } from "./authenticate.ts";
export { createApiToken } from "./create.ts";
export { listAllApiTokens, listApiTokens } from "./list.ts";
export { revokeApiToken } from "./revoke.ts";
