/** Admin pages that show the epoch of a node's process and install a later one. */
import { z } from "zod";
import { VaultFileError } from "../config/index.ts";
import type { VaultEpochs } from "../epochs/vault-epochs.ts";
import { type AdminAction, AdminError } from "./admin-server.ts";

/** An act of an operator that goes with an epoch and belongs into an audit log. */
const noteSchema = z.strictObject({
  action: z.enum(["drive.quarantine", "drive.release"]),
  drive: z.string().max(32),
  operator: z.strictObject({ user: z.string().max(256), host: z.string().max(256) }),
});
export type EpochNote = z.infer<typeof noteSchema>;

const bodySchema = z.strictObject({
  epoch: z.unknown(),
  isTrial: z.boolean().default(false),
  note: noteSchema.optional(),
});

export function epochPages(epochs: VaultEpochs): [string, (query: URLSearchParams) => object][] {
  return [["/epoch", (query) => (query.has("whole") ? epochs.current : { epoch: epochs.current.epoch })]];
}

/** Limit on the size of an epoch, which names each node and drive of the vault. */
const EPOCH_BYTES_MAX = 4_194_304;

export interface EpochAudit {
  /** Resolves once the line is on the drive; nothing is changed if it rejects. */
  append(line: object): Promise<void>;
}

/** Only coordinators have an audit log; other nodes refuse an epoch that comes with a note. */
export function epochActions(
  epochs: Pick<VaultEpochs, "take" | "current">,
  audit: EpochAudit | null = null,
): [string, AdminAction][] {
  const take = (epoch: unknown, isTrial: boolean): void => {
    try {
      epochs.take(epoch, { isTrial });
    } catch (error) {
      if (error instanceof VaultFileError) throw new AdminError(409, error.message);
      throw error;
    }
  };
  const act = async (body: unknown) => {
    const parsed = bodySchema.safeParse(body);
    if (!parsed.success) throw new AdminError(400, "The body has an epoch, and isTrial or a note or not.");
    const { epoch, isTrial, note } = parsed.data;
    if (note !== undefined && !isTrial) {
      take(epoch, true);
      await writeNote(audit, note);
    }
    take(epoch, isTrial);
    return { epoch: epochs.current.epoch };
  };
  return [["/epoch", { bodyBytesMax: EPOCH_BYTES_MAX, act }]];
}

async function writeNote(audit: EpochAudit | null, note: EpochNote): Promise<void> {
  if (audit === null) throw new AdminError(409, "Only a coordinator has an audit log for that.");
  await audit.append({ time: new Date().toISOString(), ...note }).catch((error: Error) => {
    throw new AdminError(
      507,
      `The audit log of this coordinator cannot be written (${error.message}), so it did not take the change.`,
    );
  });
}
