import {
  createEnrolmentTokenInput,
  enrolmentTokenIdInput,
  nodeIdInput,
  revokeNodeInput,
} from "@stashlight/contracts";
import {
  approveNode,
  createEnrolmentToken,
  getNode,
  listEnrolmentTokens,
  listNodes,
  revokeEnrolmentToken,
  revokeNode,
  rotateNodeKey,
} from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

export const nodeRouter = router({
  list: procedure.query(({ ctx: { ctx } }) => listNodes({ ctx })),
  get: procedure.input(nodeIdInput).query(({ ctx: { ctx }, input }) => getNode({ ctx, input })),
  approve: procedure.input(nodeIdInput).mutation(({ ctx: { ctx }, input }) => approveNode({ ctx, input })),
  revoke: procedure.input(revokeNodeInput).mutation(({ ctx: { ctx }, input }) => revokeNode({ ctx, input })),
  rotateKey: procedure
    .input(nodeIdInput)
    .mutation(({ ctx: { ctx }, input }) => rotateNodeKey({ ctx, input })),
  listTokens: procedure.query(({ ctx: { ctx } }) => listEnrolmentTokens({ ctx })),
  createToken: procedure
    .input(createEnrolmentTokenInput)
    .mutation(({ ctx: { ctx }, input }) => createEnrolmentToken({ ctx, input })),
  revokeToken: procedure
    .input(enrolmentTokenIdInput)
    .mutation(({ ctx: { ctx }, input }) => revokeEnrolmentToken({ ctx, input })),
});
