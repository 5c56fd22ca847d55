/** A session's encryption page and action for operators, and its report in `/healthz`. */
import { type AdminAction, AdminError, monotonicNowMs } from "@stashlight/node-runtime";
import { type EncryptionPage, encryptionRequestSchema } from "@stashlight/node-runtime/durability";
import { S3Error } from "@stashlight/s3";
import type { Logger } from "pino";
import { type AuditLog, openAuditLog } from "../lost/audit-log.ts";
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { destroyKey, findProblem, rewrapKeys, surveyKeys } from "./key-care.ts";
import type { VaultKeyring } from "./vault-keyring.ts";

const LOOK_EVERY_MS = 5000;
/** Interval between checks of all buckets; LOOK_EVERY_MS after a problem. */
const CHECK_EVERY_MS = 60_000;

export interface EncryptionOptions {
  readonly stateFolder: string;
  readonly logger: Pick<Logger, "error" | "warn" | "info">;
  readonly endpoint: () => { readonly verbs: VaultVerbs; readonly keyring: VaultKeyring };
}

export interface EncryptionPart {
  readonly pages: readonly [string, () => Promise<EncryptionPage>][];
  readonly actions: readonly [string, AdminAction][];
  /** Known problem with the vault's key; null if there is none. */
  problem(): string | null;
  stop(): void;
}

export function startEncryption({ stateFolder, logger, endpoint }: EncryptionOptions): EncryptionPart {
  let found: string | null = null;
  let logged: string | null = null;
  let checkedMs: number | null = null;
  const problem = (): string | null => {
    const state = endpoint().keyring.state();
    return state.type === "lost" ? state.sentence : found;
  };
  const report = (): void => {
    const sentence = problem();
    if (sentence === logged) return;
    logged = sentence;
    if (sentence === null) logger.info("the vault's encryption key is available");
    else logger.error({ problem: sentence }, "the vault's encryption key is not available");
  };
  const check = async (): Promise<void> => {
    const { verbs, keyring } = endpoint();
    const startMs = monotonicNowMs();
    found = await findProblem(verbs, keyring);
    checkedMs = startMs;
    report();
  };
  const look = (): void => {
    report();
    const isKnown = checkedMs !== null && found === null && monotonicNowMs() - checkedMs < CHECK_EVERY_MS;
    // A failed check keeps the last result, because pods that are down are reported elsewhere.
    if (!isKnown) void check().catch(() => {});
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  const audit = openAuditLog(stateFolder);
  return {
    pages: [
      [
        "/encryption",
        () =>
          refusing(async () => {
            await check();
            return { problem: problem(), ...(await surveyKeys(endpoint().verbs, endpoint().keyring)) };
          }),
      ],
    ],
    actions: [["/encryption", (body) => refusing(() => act(endpoint(), body, { audit, logger }))]],
    problem,
    stop: () => clearInterval(timer),
  };
}

interface Witnesses {
  readonly audit: AuditLog;
  readonly logger: EncryptionOptions["logger"];
}

async function act(
  { verbs, keyring }: ReturnType<EncryptionOptions["endpoint"]>,
  body: unknown,
  { audit, logger }: Witnesses,
): Promise<{ changedCount: number }> {
  const parsed = encryptionRequestSchema.safeParse(body);
  if (!parsed.success) {
    throw new AdminError(
      400,
      'The body is {"action": {"type": ...}, "operator": {"user": ..., "host": ...}}.',
    );
  }
  const { action, operator } = parsed.data;
  const bucket = action.type === "destroy" ? action.bucket : undefined;
  const write = async (result: string): Promise<void> => {
    const line = {
      time: new Date().toISOString(),
      action: `encryption.${action.type}`,
      result,
      operator,
      bucket,
    };
    await audit.append(line);
    logger.warn(line, "an operator changes the keys of buckets");
  };
  // Changes nothing unless the audit line was written.
  await write("asked").catch((error: Error) => {
    throw new AdminError(507, `The audit log cannot be written (${error.message}), so nothing was changed.`);
  });
  // The change has been made or refused by now, and the answer does not depend on this line.
  const writeResult = (result: string): Promise<void> =>
    write(result).catch((error: unknown) => {
      logger.error({ err: error, result, operator, bucket }, "the audit log cannot be written");
    });
  try {
    const changedCount =
      action.type === "rewrap" ? await rewrapKeys(verbs, keyring) : await destroyKey(verbs, action.bucket);
    await writeResult(changedCount === 0 ? "done: there was nothing to change" : "done");
    return { changedCount };
  } catch (error) {
    await writeResult(
      error instanceof S3Error ? `refused: ${describe(error)}` : `failed: ${(error as Error).message}`,
    );
    throw error;
  }
}

async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof VaultError) throw new AdminError(503, error.message);
    if (!(error instanceof S3Error)) throw error;
    throw new AdminError(error.status, describe(error));
  }
}

/** Includes the cause, which operators may see and clients may not. */
function describe({ cause, message }: S3Error): string {
  return cause instanceof Error ? cause.message : message;
}
