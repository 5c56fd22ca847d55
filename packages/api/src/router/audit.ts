import { listAuditInput } from "@stashlight/contracts";
import { listAudit, verifyAudit } from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

export const auditRouter = router({
  list: procedure.input(listAuditInput).query(({ ctx: { ctx }, input }) => listAudit({ ctx, input })),
  verify: procedure.mutation(({ ctx: { ctx } }) => verifyAudit({ ctx })),
});
