import { searchInput } from "@stashlight/contracts/search";
import { findByName } from "@stashlight/services/search";
import { queryWith, router } from "../trpc.ts";

export const searchRouter = router({ find: queryWith(searchInput, findByName) });
