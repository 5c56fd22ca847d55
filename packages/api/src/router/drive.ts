import { benchmarkRunIdInput } from "@stashlight/contracts/benchmark";
import { compareDrivesInput, driveIdInput, drivePeersInput } from "@stashlight/contracts/disk";
import { drivePlaceInput, markDriveInput } from "@stashlight/contracts/failure-rate";
import { fsyncDriveInput, fsyncVaultInput } from "@stashlight/contracts/probe";
import { compareDrives, getDiskRun, getDrive, listDrives } from "@stashlight/services/drive";
import { judgeDrivePeers } from "@stashlight/services/drive-peers";
import { listFailureRates, listPlaceDrives, markDrive } from "@stashlight/services/failure-rate";
import { latestFsyncProbe, listFsyncProbes, requestFsyncProbe } from "@stashlight/services/fsync-probe";
import { mutationWith, query, queryWith, router } from "../trpc.ts";

export const driveRouter = router({
  list: query(listDrives),
  get: queryWith(driveIdInput, getDrive),
  getRun: queryWith(benchmarkRunIdInput, getDiskRun),
  judgePeers: queryWith(drivePeersInput, judgeDrivePeers),
  compare: queryWith(compareDrivesInput, compareDrives),
});

export const failureRateRouter = router({
  list: query(listFailureRates),
  ofPlace: queryWith(drivePlaceInput, listPlaceDrives),
  mark: mutationWith(markDriveInput, markDrive),
});

export const fsyncProbeRouter = router({
  list: queryWith(fsyncDriveInput, listFsyncProbes),
  latest: queryWith(fsyncVaultInput, latestFsyncProbe),
  request: mutationWith(fsyncDriveInput, requestFsyncProbe),
});
