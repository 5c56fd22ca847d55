import { changeRoleInput, invitationIdInput, inviteUserInput, userIdInput } from "@stashlight/contracts/user";
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
} from "@stashlight/services/user";
import { mutationWith, query, router } from "../trpc.ts";

export const userRouter = router({
  list: query(listUsers),
  listInvitations: query(listInvitations),
  invite: mutationWith(inviteUserInput, inviteUser),
  revokeInvitation: mutationWith(invitationIdInput, revokeInvitation),
  changeRole: mutationWith(changeRoleInput, changeRole),
  disable: mutationWith(userIdInput, disableUser),
  enable: mutationWith(userIdInput, enableUser),
  endSessions: mutationWith(userIdInput, endUserSessions),
  disableTwoFactor: mutationWith(userIdInput, disableUserTwoFactor),
  issuePasswordLink: mutationWith(userIdInput, issuePasswordLink),
});
