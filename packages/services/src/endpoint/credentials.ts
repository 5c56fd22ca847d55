import { decryptSecret, encryptSecret, type SecretPlace } from "../secret/envelope.ts";

const hintLength = 4;

const placeOf = (endpointId: string): SecretPlace => ({
  table: "endpoint",
  row: endpointId,
  column: "secret_access_key",
});

/** The secret key as the endpoint's row keeps it. */
export function sealSecretAccessKey(installationSecret: string, endpointId: string, secretAccessKey: string) {
  return {
    secretAccessKey: encryptSecret(installationSecret, secretAccessKey, placeOf(endpointId)),
    // A short one would be shown whole.
    secretHint: secretAccessKey.length >= 4 * hintLength ? secretAccessKey.slice(-hintLength) : null,
  };
}

export function openSecretAccessKey(
  installationSecret: string,
  endpoint: { id: string; secretAccessKey: string },
): string {
  return decryptSecret(installationSecret, endpoint.secretAccessKey, placeOf(endpoint.id));
}
