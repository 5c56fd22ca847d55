import { listVaults } from "@stashlight/services/vault";
import { query, router } from "../trpc.ts";

export const vaultRouter = router({
  list: query(listVaults),
});
