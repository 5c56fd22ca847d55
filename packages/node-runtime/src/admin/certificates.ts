/**
 * Renews certificates and keys of a running node over its admin pages (`vault renew`):
 *
 *     GET  /certificates        public keys, and the expiry of their certificates
 *     POST /certificates/keys   creates the next keys, and returns their public halves
 *     POST /certificates        installs certificates of the vault's authority
 *
 * Any client with the token can request all three, but only the authority can issue a certificate that is accepted.
 */
import { z } from "zod";
import { CertificateRefused, type NodeCredentials } from "../credentials/credentials.ts";
import { AdminError, type AdminSource } from "./admin-server.ts";

const renewalSchema = z.strictObject({
  certificate: z.string().max(8192),
  edgeCertificate: z.string().max(8192).optional(),
});

export function certificatePages(credentials: NodeCredentials): NonNullable<AdminSource["pages"]> {
  return new Map([["/certificates", () => ({ ...credentials.state() })]]);
}

export function certificateActions(credentials: NodeCredentials): NonNullable<AdminSource["actions"]> {
  return new Map<string, (body: unknown) => object>([
    ["/certificates/keys", () => refusing(() => credentials.nextKeys())],
    [
      "/certificates",
      (body) => {
        const parsed = renewalSchema.safeParse(body);
        if (!parsed.success) throw new AdminError(400, "The body must have a certificate.");
        return refusing(() => credentials.renew(parsed.data));
      },
    ],
  ]);
}

function refusing(action: () => object): object {
  try {
    return action();
  } catch (error) {
    throw error instanceof CertificateRefused ? new AdminError(409, error.message) : error;
  }
}
