export * from "./first-steps.ts";
export { passwordLengthMin } from "./password.ts";
export { type Role, roleDescriptions, roleIncludes, roles } from "./roles.ts";
export {
  acceptInvitationInput,
  completeSetupInput,
  describeLinkInput,
  type LinkDetails,
  type LinkPurpose,
  passwordSchema,
  resetPasswordInput,
} from "./sign-in.ts";
export {
  changePasswordInput,
  changeRoleInput,
  confirmPasswordInput,
  type InvitationRow,
  type IssuedLink,
  invitationIdInput,
  inviteUserInput,
  type Principal,
  type SessionRow,
  sessionIdInput,
  totpCodeInput,
  type UserRow,
  updateProfileInput,
  userIdInput,
} from "./user.ts";
export { subscribeWeeklyReportInput, type WeeklyReportSettings } from "./weekly-report.ts";
