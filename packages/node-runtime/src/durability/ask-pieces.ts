/** Asks a coordinator for the pieces of an object, since only coordinators can read the list. */
import { z } from "zod";
import { type AskAdmin, type AskOptions, askAdmin } from "../admin/ask-admin.ts";
import type { VaultNode } from "../config/index.ts";

/** `/pieces?bucket=B&key=K` of a coordinator. */
const schema = z.object({
  /** ETag of the version that was read; null if there is no such object. */
  etag: z.string().nullable(),
  /** Bucket and keys of the pieces; no keys for an object that is a single upload. */
  bucket: z.string(),
  keys: z.array(z.string()),
});
export type PiecesPage = z.infer<typeof schema>;

/** The coordinator reads the object's list of pieces, and waits for a busy vault. */
const ANSWER_WITHIN_MS = 15_000;

export interface AskPiecesOptions extends AskOptions {
  readonly coordinator: VaultNode;
  readonly bucket: string;
  readonly key: string;
  /** Sends the request to the coordinator; defaults to HTTP. */
  readonly ask?: AskAdmin;
}

/** Returns null if the coordinator does not answer. Never rejects. */
export async function askPieces({
  coordinator,
  bucket,
  key,
  ask = askAdmin,
  ...options
}: AskPiecesOptions): Promise<PiecesPage | null> {
  const path = `/pieces?${new URLSearchParams({ bucket, key })}`;
  const answer = await ask(coordinator, path, { timeoutMs: ANSWER_WITHIN_MS, ...options });
  if (answer.type !== "answered" || answer.status !== 200) return null;
  const parsed = schema.safeParse(answer.body);
  return parsed.success ? parsed.data : null;
}
