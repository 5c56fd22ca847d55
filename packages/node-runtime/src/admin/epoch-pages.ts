/** Admin pages that show the epoch of a node's process and install a later one. */
import { z } from "zod";
import { VaultFileError } from "../config/index.ts";
import type { VaultEpochs } from "../epochs/vault-epochs.ts";
import { type AdminAction, AdminError } from "./admin-server.ts";

const bodySchema = z.strictObject({ epoch: z.unknown(), isTrial: z.boolean().default(false) });

export function epochPages(epochs: VaultEpochs): [string, (query: URLSearchParams) => object][] {
  return [["/epoch", (query) => (query.has("whole") ? epochs.current : { epoch: epochs.current.epoch })]];
}

/** Limit on the size of an epoch, which names each node and drive of the vault. */
const EPOCH_BYTES_MAX = 4_194_304;

export function epochActions(epochs: VaultEpochs): [string, AdminAction][] {
  const act = (body: unknown) => {
    const parsed = bodySchema.safeParse(body);
    if (!parsed.success) throw new AdminError(400, "The body has an epoch, and isTrial or not.");
    const { epoch, isTrial } = parsed.data;
    try {
      epochs.take(epoch, { isTrial });
    } catch (error) {
      if (error instanceof VaultFileError) throw new AdminError(409, error.message);
      throw error;
    }
    return { epoch: epochs.current.epoch };
  };
  return [["/epoch", { bodyBytesMax: EPOCH_BYTES_MAX, act }]];
}
