import { z } from "zod";
import { nameSchema } from "../name.ts";
import { passwordLengthMax, passwordLengthMin } from "./password.ts";
import { type Role, roles } from "./roles.ts";

export const roleSchema = z.enum(roles);

export const emailSchema = z
  .email("Enter an e-mail address such as ada@example.org.")
  .max(254)
  .transform((email) => email.toLowerCase());

export const passwordSchema = z
  .string()
  .min(
    passwordLengthMin,
    `A password must have at least ${passwordLengthMin} characters; a few words in a row work well.`,
  )
  .max(passwordLengthMax, `A password can have at most ${passwordLengthMax} characters.`);

/** 256 random bits, base64url without padding; the secret in a set-up, invitation or password link. */
export const linkTokenSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, "The link is incomplete; copy it whole.");

const linkPurposes = ["setup", "invitation", "password"] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

/** Facts shown to a person with a link before its use. */
export interface LinkDetails {
  purpose: LinkPurpose;
  expiresAt: Date;
  email: string | null;
  role: Role | null;
  invitedBy: string | null;
}

export const describeLinkInput = z.object({ token: linkTokenSchema });
export const completeSetupInput = z.object({
  token: linkTokenSchema,
  name: nameSchema(),
  email: emailSchema,
  password: passwordSchema,
});
export const acceptInvitationInput = z.object({
  token: linkTokenSchema,
  name: nameSchema(),
  password: passwordSchema,
});
export const resetPasswordInput = z.object({ token: linkTokenSchema, password: passwordSchema });
