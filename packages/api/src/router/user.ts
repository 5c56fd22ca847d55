import { apiTokenIdInput, createApiTokenInput } from "@stashlight/contracts/api-token";
import {
  changePasswordInput,
  changeRoleInput,
  confirmPasswordInput,
  hideFirstStepsInput,
  invitationIdInput,
  inviteUserInput,
  sessionIdInput,
  totpCodeInput,
  updateProfileInput,
  userIdInput,
} from "@stashlight/contracts/user";
import {
  changePassword,
  confirmTotp,
  disableTotp,
  endSession,
  getSettings,
  renewBackupCodes,
  startTotp,
  updateProfile,
} from "@stashlight/services/account";
import {
  createApiToken,
  listAllApiTokens,
  listApiTokens,
  revokeApiToken,
} from "@stashlight/services/api-token";
import { hideFirstSteps, readFirstSteps } from "@stashlight/services/first-steps";
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

/** The signed-in user's own settings. */
export const accountRouter = router({
  settings: query(getSettings),
  updateProfile: mutationWith(updateProfileInput, updateProfile),
  changePassword: mutationWith(changePasswordInput, changePassword),
  endSession: mutationWith(sessionIdInput, endSession),
  startTotp: mutationWith(confirmPasswordInput, startTotp),
  confirmTotp: mutationWith(totpCodeInput, confirmTotp),
  disableTotp: mutationWith(confirmPasswordInput, disableTotp),
  renewBackupCodes: mutationWith(confirmPasswordInput, renewBackupCodes),
  firstSteps: query(readFirstSteps),
  hideFirstSteps: mutationWith(hideFirstStepsInput, hideFirstSteps),
});

export const apiTokenRouter = router({
  list: query(listApiTokens),
  listAll: query(listAllApiTokens),
  create: mutationWith(createApiTokenInput, createApiToken),
  revoke: mutationWith(apiTokenIdInput, revokeApiToken),
});
