/** `POST /audit`: writes a change of the vault's coordinators, which an operator makes, to the audit log. */
import { type AdminAction, AdminError } from "@stashlight/node-runtime";
import { noteChangeSchema } from "@stashlight/node-runtime/durability";
import type { Logger } from "pino";
import type { AuditLog } from "../lost/audit-log.ts";

export interface NoteChangeOptions {
  readonly audit: AuditLog;
  readonly logger: Pick<Logger, "warn">;
  readonly wallMs: () => number;
  /** The number of the epoch in force. */
  readonly epoch: () => number;
}

export function auditActions({ audit, logger, wallMs, epoch }: NoteChangeOptions): [string, AdminAction][] {
  const act = async (body: unknown): Promise<object> => {
    const parsed = noteChangeSchema.safeParse(body);
    if (!parsed.success) {
      throw new AdminError(
        400,
        'The body is {"action": ..., "nodeId": ..., "result": ..., "operator": {"user": ..., "host": ...}}.',
      );
    }
    const line = { time: new Date(wallMs()).toISOString(), ...parsed.data, epoch: epoch() };
    await audit.append(line).catch((error: Error) => {
      throw new AdminError(507, `The audit log cannot be written (${error.message}).`);
    });
    logger.warn(line, "an operator changes the coordinators of the vault");
    return { isNoted: true };
  };
  return [["/audit", act]];
}
