import { fsyncDriveInput, fsyncVaultInput } from "@stashlight/contracts";
import { latestFsyncProbe, listFsyncProbes, requestFsyncProbe } from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

export const fsyncProbeRouter = router({
  list: procedure.input(fsyncDriveInput).query(({ ctx: { ctx }, input }) => listFsyncProbes({ ctx, input })),
  latest: procedure
    .input(fsyncVaultInput)
    .query(({ ctx: { ctx }, input }) => latestFsyncProbe({ ctx, input })),
  request: procedure
    .input(fsyncDriveInput)
    .mutation(({ ctx: { ctx }, input }) => requestFsyncProbe({ ctx, input })),
});
