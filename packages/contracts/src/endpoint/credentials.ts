/**
 * Credentials for an endpoint: a name and a secret. Their meaning depends on the kind of store, and for some kinds on
 * the secret's form.
 *
 *     S3 and similar stores   access key ID       secret access key
 *     gcs                     HMAC access id      HMAC secret
 *                             client_email        the whole key file (JSON) of a service account
 *     azure-blob              account             account key (Base64), or a shared access signature (sv=...&sig=...)
 */
import { z } from "zod";
import type { StoreKind } from "./endpoint-kind.ts";

const SECRET_CHARACTERS_MAX = 10_000;

/** Required fields of a service account's key file; the whole file is a secret. */
const serviceAccountSchema = z.object({
  client_email: z.string().regex(/^[\x21-\x7e]{3,200}$/),
  private_key: z.string().includes("PRIVATE KEY"),
  token_uri: z.url({ protocol: /^https?$/ }).default("https://oauth2.googleapis.com/token"),
});
export type ServiceAccount = z.infer<typeof serviceAccountSchema>;

/** Returns null if the secret is not a service account's key file. */
export function parseServiceAccount(secret: string): ServiceAccount | null {
  if (!secret.trimStart().startsWith("{")) return null;
  try {
    return serviceAccountSchema.parse(JSON.parse(secret));
  } catch {
    return null;
  }
}

/** Returns the query string of a shared access signature; null for an account's key, which has no parameter "sig". */
export function parseSharedAccessSignature(secret: string): string | null {
  const token = secret.replace(/^\?/, "");
  return new URLSearchParams(token).has("sig") ? token : null;
}

export const endpointCredentialsSchema = z
  .object({
    accessKeyId: z.string().trim().max(200, "The access key ID can have at most 200 characters.").default(""),
    secretAccessKey: z
      .string()
      .trim()
      .min(1, "The secret access key is missing.")
      .max(SECRET_CHARACTERS_MAX, `A secret can have at most ${SECRET_CHARACTERS_MAX} characters.`),
  })
  .transform(({ accessKeyId, secretAccessKey }) => {
    const account = parseServiceAccount(secretAccessKey);
    return { accessKeyId: account?.client_email ?? accessKeyId, secretAccessKey };
  })
  .superRefine(({ accessKeyId, secretAccessKey }, context) => {
    const refuse = (path: "accessKeyId" | "secretAccessKey", message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (!/^[\x21-\x7e]+$/.test(accessKeyId))
      refuse("accessKeyId", "The access key ID is missing, or has spaces.");
    if (parseServiceAccount(secretAccessKey) === null && !/^[\x21-\x7e]+$/.test(secretAccessKey))
      refuse("secretAccessKey", "The secret access key must not contain spaces.");
  });
export type EndpointCredentials = z.output<typeof endpointCredentialsSchema>;

/** Returns why credentials cannot belong to a store of this kind, and the wrong field; null if they can. */
export function credentialsProblem(
  kind: StoreKind,
  { accessKeyId, secretAccessKey }: EndpointCredentials,
): { readonly field: keyof EndpointCredentials; readonly message: string } | null {
  if (kind === "azure-blob") {
    if (!/^[a-z0-9]{3,24}$/.test(accessKeyId))
      return {
        field: "accessKeyId",
        message: "A storage account's name has 3 to 24 lower-case letters and digits.",
      };
    const isKey = /^[A-Za-z0-9+/]{20,}={0,2}$/.test(secretAccessKey);
    if (!isKey && parseSharedAccessSignature(secretAccessKey) === null)
      return {
        field: "secretAccessKey",
        message: "Enter an account key (Base64) or a shared access signature, which contains sig=.",
      };
    return null;
  }
  const looksLikeFile = secretAccessKey.startsWith("{");
  if (kind === "gcs" && looksLikeFile && parseServiceAccount(secretAccessKey) === null)
    return {
      field: "secretAccessKey",
      message: "The key file of a service account must contain client_email and private_key.",
    };
  if (kind !== "gcs" && looksLikeFile)
    return { field: "secretAccessKey", message: "A key file is for Google Cloud Storage only." };
  return null;
}
