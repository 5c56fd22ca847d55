import { apiScopes } from "@stashlight/contracts/api-token";
import { wordColumn } from "./word-column.ts";

/** Codec for each element of the list. */
export const apiTokenColumns = { scope: wordColumn("api_token.scopes", apiScopes) };
