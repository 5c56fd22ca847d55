import { locateObjectInput, readLocationsInput } from "@stashlight/contracts/object-location";
import { locateObject, readLocations } from "@stashlight/services/object-location";
import { mutationWith, queryWith, router } from "../trpc.ts";

export const objectLocationRouter = router({
  ask: mutationWith(locateObjectInput, locateObject),
  read: queryWith(readLocationsInput, readLocations),
});
