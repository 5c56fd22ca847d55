/**
 * `POST /give-up`: deletes an object that can no longer be read, at an operator's request. Refused if the object is
 * readable, or may be readable again when drives answer. The audit log gets a line before the deletion, and one with
 * the result.
 *
 *     checked --readable, absent, may come back--> refused
 *         '-----lost, and agreed to------> "asked" in the log --> deleted on its ETag --> "given up" in the log
 *                                                                     '--changed meanwhile--> "refused" in the log
 */
import { describeShortage, type LostObject } from "@stashlight/contracts/lost-object";
import { AdminError } from "@stashlight/node-runtime";
import { type GiveUpRequest, giveUpSchema } from "@stashlight/node-runtime/durability";
import { sizeOf } from "@stashlight/node-runtime/objects";
import type { LostObject as LostUpload, Shortage, UploadHeader } from "@stashlight/write-path";
import type { Logger } from "pino";
import { isInPieces } from "../records/encryption-record.ts";
import { manifestOf } from "../records/manifest.ts";
import { PIECES } from "../records/pieces.ts";
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import type { AuditLog } from "./audit-log.ts";
import { describeLost } from "./describe.ts";

export interface GiveUpOptions {
  /** Reason why the endpoint rejects all requests, in which case its view of stored objects may be wrong. */
  readonly trouble: () => string | null;
  readonly verbs: Pick<VaultVerbs, "head" | "get" | "delete">;
  readonly lostObjects: () => readonly LostUpload[];
  readonly forgetLost: (uploadId: string) => void;
  readonly audit: AuditLog;
  readonly logger: Pick<Logger, "warn" | "error">;
  readonly wallMs: () => number;
}

/** Rejects with an AdminError. */
export async function giveUp(options: GiveUpOptions, body: unknown): Promise<{ object: LostObject }> {
  const parsed = giveUpSchema.safeParse(body);
  if (!parsed.success) {
    throw new AdminError(
      400,
      'The body is {"bucket": ..., "key": ..., "uploadId": ... or null, "operator": {"user": ..., "host": ...}}.',
    );
  }
  const request = parsed.data;
  if (request.bucket.startsWith(".")) throw new AdminError(400, "Internal records cannot be given up.");
  const trouble = options.trouble();
  if (trouble !== null) throw new AdminError(503, trouble);
  try {
    const object = await checkLost(options, request);
    if (request.uploadId === null) return { object };
    if (request.uploadId !== object.uploadId) throw changed(request);
    await deleteLost(options, request, object);
    return { object };
  } catch (error) {
    if (error instanceof VaultError) throw new AdminError(503, error.message);
    throw error;
  }
}

const changed = ({ bucket, key }: GiveUpRequest): AdminError =>
  new AdminError(409, `${bucket}/${key} was written meanwhile. Nothing was deleted.`);

/** Reads the object and the shards that it has. Rejects with an AdminError unless it is lost. */
async function checkLost(options: GiveUpOptions, request: GiveUpRequest): Promise<LostObject> {
  const { verbs, wallMs } = options;
  const { bucket, key } = request;
  const name = `${bucket}/${key}`;
  const upload = await verbs.head(bucket, key);
  if (upload === null) throw new AdminError(404, `There is no object ${name}.`);
  const shortage = await findShortage(options, upload);
  if (shortage === null) {
    const hint = isInPieces(upload)
      ? " It is stored in pieces, and this coordinator has found none of them unreadable: download it once, or wait six minutes after a start, and try again."
      : " Delete it over S3 if it is not needed.";
    throw new AdminError(409, `${name} can be read, so it is not given up.${hint}`);
  }
  const { readableCount, neededCount, unreadablePods, silentPods } = shortage;
  const mayReturn = [...unreadablePods, ...silentPods];
  if (readableCount + mayReturn.length >= neededCount) {
    throw new AdminError(
      409,
      `${name} may be read again, so it is not given up: ${describeShortage(shortage)}. Bring these drives back first, or replace them for good.`,
    );
  }
  const { uploadId, etag } = upload;
  const described = describeLost(shortage, wallMs(), { part: "object", bucket, key });
  return { ...described, uploadId, etag, sizeBytes: sizeOf(upload) };
}

/**
 * Returns null if the object is readable. For an object in pieces, only known shortages count, because reading all
 * pieces may take hours.
 */
async function findShortage(
  { verbs, lostObjects }: GiveUpOptions,
  upload: UploadHeader,
): Promise<Shortage | null> {
  const own = await readShortage(verbs, upload.bucket, upload.key);
  if (own.shortage !== null || !isInPieces(upload)) return own.shortage;
  const ids = new Set((own.found && manifestOf(own.found)?.pieces)?.map(({ id }) => id));
  for (const { shortage } of lostObjects()) {
    const piece = shortage.upload;
    if (piece.bucket !== PIECES || !ids.has(piece.key.split("/", 1)[0] ?? "")) continue;
    const again = await readShortage(verbs, PIECES, piece.key);
    if (again.shortage !== null) return again.shortage;
  }
  return null;
}

async function readShortage(verbs: Pick<VaultVerbs, "get">, bucket: string, key: string) {
  try {
    return { found: await verbs.get(bucket, key), shortage: null };
  } catch (error) {
    if (error instanceof VaultError && error.shortage !== null)
      return { found: null, shortage: error.shortage };
    throw error;
  }
}

async function deleteLost(
  { verbs, audit, logger, forgetLost, wallMs }: GiveUpOptions,
  request: GiveUpRequest,
  object: LostObject,
): Promise<void> {
  const { bucket, key, operator } = request;
  const { uploadId, sizeBytes, etag, readableCount, neededCount, shardCount } = object;
  const facts = { operator, bucket, key, uploadId, sizeBytes, etag, readableCount, neededCount, shardCount };
  const write = async (result: string): Promise<void> => {
    const line = { time: new Date(wallMs()).toISOString(), action: "object.give-up", result, ...facts };
    await audit.append(line);
    logger.warn(line, "an operator gives up an object that cannot be read");
  };
  // Deletes nothing unless the audit line was written.
  await write("asked").catch((error: Error) => {
    throw new AdminError(507, `The audit log cannot be written (${error.message}), so nothing was deleted.`);
  });
  // A failure of the log does not undo the deletion, and the first line has the request.
  const writeResult = (result: string): Promise<void> =>
    write(result).catch((error: unknown) => {
      logger.error({ err: error, result, ...facts }, "the audit log cannot be written");
    });
  try {
    await verbs.delete(bucket, key, { type: "etag", etag });
  } catch (error) {
    await writeResult(`refused: ${(error as Error).message}`);
    if (error instanceof VaultError && error.code === "precondition") throw changed(request);
    throw error;
  }
  forgetLost(uploadId);
  await writeResult("given up");
}
