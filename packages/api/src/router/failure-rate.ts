import { drivePlaceInput, markDriveInput } from "@stashlight/contracts/failure-rate";
import { listFailureRates, listPlaceDrives, markDrive } from "@stashlight/services/failure-rate";
import { mutationWith, query, queryWith, router } from "../trpc.ts";

export const failureRateRouter = router({
  list: query(listFailureRates),
  ofPlace: queryWith(drivePlaceInput, listPlaceDrives),
  mark: mutationWith(markDriveInput, markDrive),
});
