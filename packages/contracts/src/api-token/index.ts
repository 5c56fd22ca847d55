export * from "./api-token.ts";
export * from "./scopes.ts";
