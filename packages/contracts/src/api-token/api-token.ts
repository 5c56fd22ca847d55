/** Tokens with which scripts use the public HTTP API on behalf of their owners. */
import { z } from "zod";
import { nameSchema } from "../name.ts";
import { type ApiScope, apiScopes, apiTokenDaysMax } from "./scopes.ts";

export const apiTokenPrefix = "sla_";

const apiTokenPattern = new RegExp(`^${apiTokenPrefix}[A-Za-z0-9_-]{43}$`);
export const isApiToken = (text: string): boolean => apiTokenPattern.test(text);

const apiTokenNameMax = 60;

export const createApiTokenInput = z.object({
  name: nameSchema(apiTokenNameMax).refine(
    (name) => !name.includes("\0"),
    "The text contains a NUL character; remove it.",
  ),
  scopes: z
    .array(z.enum(apiScopes))
    .min(1, "Choose at least one right.")
    .transform((scopes) => apiScopes.filter((scope) => scopes.includes(scope))),
  lifetimeDays: z
    .int("Enter a whole number of days.")
    .min(1, "A token must be valid for at least a day.")
    .max(apiTokenDaysMax, `A token can be valid for at most ${apiTokenDaysMax} days.`),
});
export const apiTokenIdInput = z.object({ tokenId: z.uuid("There is no such token.") });

/** Token that was not revoked; an expired one stays in the list, so that its owner sees why a script fails. */
export interface ApiTokenRow {
  id: string;
  name: string;
  owner: { id: string; name: string; email: string };
  lastCharacters: string;
  scopes: ApiScope[];
  createdAt: Date;
  expiresAt: Date;
  isExpired: boolean;
  /** Up to ten minutes old; null if it was never used. */
  lastUsedAt: Date | null;
}

/** Token, shown only once to the user who created it. */
export interface IssuedApiToken {
  tokenId: string;
  token: string;
  expiresAt: Date;
}
