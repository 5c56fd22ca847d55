import { listLostObjectsInput } from "@stashlight/contracts/lost-object";
import { listDurability } from "@stashlight/services/durability";
import { listLostObjects, listVaults } from "@stashlight/services/vault";
import { query, queryWith, router } from "../trpc.ts";

export const vaultRouter = router({
  list: query(listVaults),
  listDurability: query(listDurability),
  listLostObjects: queryWith(listLostObjectsInput, listLostObjects),
});
