/** Admin pages that show the epoch of a node's process and install a later one. */
import { z } from "zod";
import { parseVaultEpoch, VaultFileError } from "../config/index.ts";
import type { VaultEpochs } from "../epochs/vault-epochs.ts";
import { type AdminAction, AdminError } from "./admin-server.ts";

const operator = z.strictObject({ user: z.string().max(256), host: z.string().max(256) });

/** An operator's action that comes with an epoch and belongs in an audit log. */
const noteSchema = z.discriminatedUnion("action", [
  z.strictObject({
    action: z.enum(["drive.quarantine", "drive.release", "drive.replace"]),
    drive: z.string().max(32),
    operator,
  }),
  z.strictObject({
    action: z.enum([
      "coordinator.add",
      "coordinator.remove",
      "stash.add",
      "stash.drain",
      "stash.undrain",
      "stash.remove",
    ]),
    nodeId: z.string().max(256),
    operator,
  }),
  z.strictObject({ action: z.enum(["machine.replace"]), machine: z.string().max(256), operator }),
]);
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
    if (!parsed.success)
      throw new AdminError(400, "The body must have an epoch, and may have isTrial or a note.");
    const { epoch, isTrial, note } = parsed.data;
    if (note === undefined || isTrial) take(epoch, isTrial);
    else {
      take(epoch, true);
      await noted(audit, note, parseVaultEpoch(epoch).epoch, () => take(epoch, false));
    }
    return { epoch: epochs.current.epoch };
  };
  return [["/epoch", { bodyBytesMax: EPOCH_BYTES_MAX, act }]];
}

/**
 * Writes the request for the change, and then its result, to the audit log. If the first line cannot be written,
 * nothing changes.
 */
async function noted(
  audit: EpochAudit | null,
  note: EpochNote,
  epoch: number,
  change: () => void,
): Promise<void> {
  if (audit === null) throw new AdminError(409, "Only a coordinator has an audit log for that.");
  const write = (result: string) => audit.append({ time: new Date().toISOString(), ...note, epoch, result });
  await write("asked").catch((error: Error) => {
    throw new AdminError(
      507,
      `The audit log of this coordinator cannot be written (${error.message}), so the change was refused.`,
    );
  });
  try {
    change();
  } catch (error) {
    await write(`refused: ${(error as Error).message}`).catch(() => {});
    throw error;
  }
  // The change is in force whether or not its end can be written, and the first line names its epoch.
  await write("done").catch(() => {});
}

/** Answers `POST /audit` of earlier command lines, which would take a 404 for an agent older than they are. */
export const retiredAuditActions: readonly [string, AdminAction][] = [
  [
    "/audit",
    () => {
      throw new AdminError(
        410,
        "this command line is of an earlier version than the agents; run the command with their version",
      );
    },
  ],
];
