/** Asks of which further uploads an object consists, which only a coordinator can read. */
import { z } from "zod";
import { type AskAdmin, type AskOptions, askAdmin } from "../admin/ask-admin.ts";
import type { VaultNode } from "../config/index.ts";

/** `/pieces?bucket=B&key=K` of a coordinator. */
export interface PiecesPage {
  /** The ETag of the version that was looked at; null when there is no such object. */
  readonly etag: string | null;
  /** The bucket and the keys of its pieces; none for an object that is one upload. */
  readonly bucket: string;
  readonly keys: readonly string[];
}

const schema: z.ZodType<PiecesPage> = z.object({
  etag: z.string().nullable(),
  bucket: z.string(),
  keys: z.array(z.string()),
});

/** It reads the object's list of pieces, and waits for a busy vault. */
const ANSWER_WITHIN_MS = 15_000;

export interface AskPiecesOptions extends AskOptions {
  readonly coordinator: VaultNode;
  readonly bucket: string;
  readonly key: string;
  /** Sends the request to the coordinator; over HTTP if not given. */
  readonly ask?: AskAdmin;
}

/** Null when the coordinator gives no answer. Never rejects. */
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
