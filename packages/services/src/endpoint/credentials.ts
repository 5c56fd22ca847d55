import {
  credentialsProblem,
  type EndpointCredentials,
  parseServiceAccount,
} from "@stashlight/contracts/benchmark/credentials";
import type { StoreKind } from "@stashlight/contracts/benchmark/endpoint-kind";
import { StashlightError } from "@stashlight/contracts/errors";
import { decryptSecret, encryptSecret, type SecretPlace } from "../secret/envelope.ts";

const hintLength = 4;

const endpointSecretPlace = (endpointId: string): SecretPlace => ({
  table: "endpoint",
  row: endpointId,
  column: "secret_access_key",
});

/** The secret key as the endpoint's row keeps it. */
export function sealSecretAccessKey(installationSecret: string, endpointId: string, secretAccessKey: string) {
  // A short one would be shown whole, and the end of a key file is the same for all of them.
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

/** Refuses credentials that cannot be those of a store of this kind. */
export function refuseOtherCredentials(kind: StoreKind, credentials: EndpointCredentials): void {
  const problem = credentialsProblem(kind, credentials);
  if (problem !== null) {
    const field = `credentials.${problem.field}`;
    throw new StashlightError("invalid_input", problem.message, { field });
  }
}
