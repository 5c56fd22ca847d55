import { fsyncDriveInput, fsyncVaultInput } from "@stashlight/contracts/probe";
import { latestFsyncProbe, listFsyncProbes, requestFsyncProbe } from "@stashlight/services/fsync-probe";
import { mutationWith, queryWith, router } from "../trpc.ts";

export const fsyncProbeRouter = router({
  list: queryWith(fsyncDriveInput, listFsyncProbes),
  latest: queryWith(fsyncVaultInput, latestFsyncProbe),
  request: mutationWith(fsyncDriveInput, requestFsyncProbe),
});
