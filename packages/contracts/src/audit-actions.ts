/** Every action that leaves a trace, with the sentence fragment the console shows. */
export const auditActions = {
  "setup.completed": "set up the installation",
  "session.signed_in": "signed in",
  "session.sign_in_failed": "failed to sign in",
  "session.signed_out": "signed out",
  "session.ended": "ended a session",
  "session.ended_all": "ended all sessions of a user",
  "user.invited": "invited a user",
  "user.invitation_revoked": "revoked an invitation",
  "user.joined": "accepted an invitation",
  "user.role_changed": "changed a role",
  "user.disabled": "disabled a user",
  "user.enabled": "enabled a user",
  "user.profile_updated": "updated their settings",
  "user.password_changed": "changed their password",
  "user.password_link_issued": "issued a password link",
  "user.password_reset": "reset a password by link",
  "user.totp_enabled": "turned on two-factor sign-in",
  "user.totp_disabled": "turned off two-factor sign-in",
  "user.backup_codes_renewed": "renewed their backup codes",
  "schedule.paused": "paused a schedule",
  "schedule.resumed": "resumed a schedule",
  "schedule.run_requested": "ran a job now",
  "audit.exported": "exported the audit log",
  "audit.verified": "verified the audit log",
} as const;

export type AuditAction = keyof typeof auditActions;
