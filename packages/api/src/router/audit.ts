import { listAuditInput } from "@stashlight/contracts/audit";
import { listAudit, verifyAudit } from "@stashlight/services/audit";
import { mutation, queryWith, router } from "../trpc.ts";

export const auditRouter = router({
  list: queryWith(listAuditInput, listAudit),
  verify: mutation(verifyAudit),
});
