export {
  type ApiTokenRow,
  apiTokenIdInput,
  apiTokenPrefix,
  createApiTokenInput,
  type IssuedApiToken,
  isApiToken,
} from "./api-token.ts";
export {
  type ApiScope,
  apiRequestsPerMinuteMax,
  apiScopes,
  apiScopeWords,
  apiTokenDaysMax,
  apiTokenLastUsedMinutes,
  apiTokensPerUserMax,
  roleOfApiScope,
  roleOfToken,
} from "./scopes.ts";
