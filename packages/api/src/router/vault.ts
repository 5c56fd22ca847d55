import { listLostObjectsInput } from "@stashlight/contracts/lost-object";
import { listLostObjects, listVaults } from "@stashlight/services/vault";
import { query, queryWith, router } from "../trpc.ts";

export const vaultRouter = router({
  list: query(listVaults),
  listLostObjects: queryWith(listLostObjectsInput, listLostObjects),
});
