import { z } from "zod";
import { nameSchema } from "../name.ts";
import { isTimeZone } from "../time/time-zone.ts";
import type { Role } from "./roles.ts";
import { emailSchema, passwordSchema, roleSchema } from "./sign-in.ts";

export const userIdInput = z.object({ userId: z.string().min(1).max(64) });
export const inviteUserInput = z.object({ email: emailSchema, role: roleSchema });
export const invitationIdInput = z.object({ invitationId: z.string().min(1).max(64) });
export const changeRoleInput = userIdInput.extend({ role: roleSchema });
export const sessionIdInput = z.object({ sessionId: z.string().min(1).max(64) });

/** Null uses the browser's own zone. */
const timeZoneSchema = z
  .string()
  .max(60)
  .refine(isTimeZone, "There is no such time zone; enter one such as UTC or Europe/Berlin.")
  .nullable();

export const updateProfileInput = z.object({ name: nameSchema(), timeZone: timeZoneSchema.default(null) });
export const changePasswordInput = z.object({
  currentPassword: z.string().min(1, "Enter your current password.").max(256),
  newPassword: passwordSchema,
});
export const confirmPasswordInput = z.object({
  password: z.string().min(1, "Enter your password.").max(256),
});
export const totpCodeInput = z.object({
  code: z.string().regex(/^\d{6}$/, "The code has six digits."),
});

/** User on whose behalf a request runs, if any. */
export interface Principal {
  userId: string;
  sessionId: string;
  email: string;
  name: string;
  role: Role;
  twoFactorEnabled: boolean;
  /** Time zone for display; null uses the browser's. */
  timeZone: string | null;
}

export type UserState = "active" | "disabled";

export interface UserRow {
  id: string;
  name: string;
  email: string;
  role: Role;
  state: UserState;
  twoFactorEnabled: boolean;
  signInMethods: string[];
  sessionCount: number;
  lastSeenAt: Date | null;
  createdAt: Date;
}

export interface InvitationRow {
  id: string;
  email: string;
  role: Role;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
}

export interface SessionRow {
  id: string;
  current: boolean;
  ipAddress: string;
  userAgent: string;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
}

/** Secret link, shown once to the person who requested it. */
export interface IssuedLink {
  url: string;
  expiresAt: Date;
}
