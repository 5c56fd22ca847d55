import { StashlightError } from "@stashlight/contracts/errors";
import type { Transaction } from "@stashlight/db";
import type { Context } from "../context.ts";
import { encryptSecret } from "../secret/credential-encryption.ts";
import { channelSecretPlace, readChannelConfig, type StoredChannel } from "./send.ts";

const hintLength = 4;

/** Fields for the audit log: the destination, and the last characters of the secret. */
export const channelAudit = ({
  id,
  name,
  config,
  secretHint,
  isDefault,
  isEnabled,
}: Omit<StoredChannel, "secret">) => ({
  name,
  config: readChannelConfig({ id, config }),
  endsWith: secretHint,
  isDefault,
  isEnabled,
});

export function sealed(ctx: Context, channelId: string, secret: string) {
  return {
    secret: encryptSecret(ctx.platform.options.secret, secret, channelSecretPlace(channelId)),
    // The hint of a short secret would reveal too much of it.
    secretHint: secret.length >= 4 * hintLength ? secret.slice(-hintLength) : null,
  };
}

export async function findChannel(
  tx: Pick<Transaction, "alertChannel">,
  channelId: string,
): Promise<StoredChannel> {
  const channel = await tx.alertChannel.findUnique({ where: { id: channelId } });
  if (channel === null) throw new StashlightError("not_found", "There is no such channel.");
  return channel;
}
