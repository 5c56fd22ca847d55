import { benchmarkRunIdInput } from "@stashlight/contracts/benchmark/plan";
import { drivePeersInput } from "@stashlight/contracts/disk/peers";
import { compareDrivesInput, driveIdInput } from "@stashlight/contracts/disk/target";
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
