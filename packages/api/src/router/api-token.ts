import { apiTokenIdInput, createApiTokenInput } from "@stashlight/contracts/api-token";
import {
  createApiToken,
  listAllApiTokens,
  listApiTokens,
  revokeApiToken,
} from "@stashlight/services/api-token";
import { mutationWith, query, router } from "../trpc.ts";

export const apiTokenRouter = router({
  list: query(listApiTokens),
  listAll: query(listAllApiTokens),
  create: mutationWith(createApiTokenInput, createApiToken),
  revoke: mutationWith(apiTokenIdInput, revokeApiToken),
});
