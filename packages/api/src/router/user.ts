import { changeRoleInput, invitationIdInput, inviteUserInput, userIdInput } from "@stashlight/contracts";
import {
  changeRole,
  disableUser,
  disableUserTwoFactor,
  enableUser,
  endUserSessions,
  inviteUser,
  issuePasswordLink,
  listInvitations,
  listUsers,
  revokeInvitation,
} from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

export const userRouter = router({
  list: procedure.query(({ ctx: { ctx } }) => listUsers({ ctx })),
  listInvitations: procedure.query(({ ctx: { ctx } }) => listInvitations({ ctx })),
  invite: procedure.input(inviteUserInput).mutation(({ ctx: { ctx }, input }) => inviteUser({ ctx, input })),
  revokeInvitation: procedure
    .input(invitationIdInput)
    .mutation(({ ctx: { ctx }, input }) => revokeInvitation({ ctx, input })),
  changeRole: procedure
    .input(changeRoleInput)
    .mutation(({ ctx: { ctx }, input }) => changeRole({ ctx, input })),
  disable: procedure.input(userIdInput).mutation(({ ctx: { ctx }, input }) => disableUser({ ctx, input })),
  enable: procedure.input(userIdInput).mutation(({ ctx: { ctx }, input }) => enableUser({ ctx, input })),
  endSessions: procedure
    .input(userIdInput)
    .mutation(({ ctx: { ctx }, input }) => endUserSessions({ ctx, input })),
  disableTwoFactor: procedure
    .input(userIdInput)
    .mutation(({ ctx: { ctx }, input }) => disableUserTwoFactor({ ctx, input })),
  issuePasswordLink: procedure
    .input(userIdInput)
    .mutation(({ ctx: { ctx }, input }) => issuePasswordLink({ ctx, input })),
});
