import {
  credentialsProblem,
  type EndpointCredentials,
  parseServiceAccount,
  type StoreKind,
} from "@stashlight/contracts/endpoint";
import { StashlightError } from "@stashlight/contracts/errors";
import { decryptSecret, encryptSecret, type SecretPlace } from "../secret/credential-encryption.ts";

const hintLength = 4;

const endpointSecretPlace = (endpointId: string): SecretPlace => ({
  table: "endpoint",
  row: endpointId,
  column: "secret_access_key",
});

/** Seals the secret key for the endpoint's row. */
export function sealSecretAccessKey(installationSecret: string, endpointId: string, secretAccessKey: string) {
  // The hint of a short key would reveal too much, and all key files end alike.
  const hasHint = secretAccessKey.length >= 4 * hintLength && parseServiceAccount(secretAccessKey) === null;
  return {
    secretAccessKey: encryptSecret(installationSecret, secretAccessKey, endpointSecretPlace(endpointId)),
    secretHint: hasHint ? secretAccessKey.slice(-hintLength) : null,
  };
}

export function openSecretAccessKey(
  installationSecret: string,
  endpoint: { id: string; secretAccessKey: string },
): string {
  return decryptSecret(installationSecret, endpoint.secretAccessKey, endpointSecretPlace(endpoint.id));
}

/** Refuses credentials that cannot belong to a store of this kind. */
export function refuseOtherCredentials(kind: StoreKind, credentials: EndpointCredentials): void {
  const problem = credentialsProblem(kind, credentials);
  if (problem !== null) {
    const field = `credentials.${problem.field}`;
    throw new StashlightError("invalid_input", problem.message, { field });
  }
}
