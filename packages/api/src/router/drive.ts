import { benchmarkRunIdInput } from "@stashlight/contracts/benchmark";
import { compareDrivesInput, driveIdInput, drivePeersInput } from "@stashlight/contracts/disk";
import { compareDrives, getDiskRun, getDrive, listDrives } from "@stashlight/services/drive";
import { judgeDrivePeers } from "@stashlight/services/drive-peers";
import { query, queryWith, router } from "../trpc.ts";

export const driveRouter = router({
  list: query(listDrives),
  get: queryWith(driveIdInput, getDrive),
  getRun: queryWith(benchmarkRunIdInput, getDiskRun),
  judgePeers: queryWith(drivePeersInput, judgeDrivePeers),
  compare: queryWith(compareDrivesInput, compareDrives),
});
