/** Asks a coordinator about the keys of its vault and buckets, and requests changes of them. */
import { z } from "zod";
import { type AskAdmin, type AskedNode, askAdmin } from "../admin/ask-admin.ts";
import type { Asking } from "../admin/asking.ts";

/** `/encryption` of a coordinator. */
const pageSchema = z.object({
  /** Problem with the vault's key, in a sentence; null if there is none, or the vault has no key. */
  problem: z.string().nullable(),
  encryptsNewBuckets: z.boolean(),
  /** The versions of the vault's key that this coordinator has, in ascending order. */
  versions: z.array(z.object({ version: z.int(), createdAt: z.string() })),
  buckets: z.object({
    total: z.int(),
    encryptedByDefault: z.int(),
    /** Number of buckets whose key is wrapped by each version. */
    byVersion: z.array(z.object({ version: z.int(), count: z.int() })),
    /** Number of buckets whose key was destroyed. */
    destroyed: z.int(),
  }),
});
export type EncryptionPage = z.infer<typeof pageSchema>;

/** `POST /encryption` of a coordinator. */
export const encryptionRequestSchema = z.strictObject({
  action: z.discriminatedUnion("type", [
    /** Wraps the keys of buckets with the newest version. */
    z.strictObject({ type: z.literal("rewrap") }),
    z.strictObject({ type: z.literal("destroy"), bucket: z.string().min(3).max(63) }),
  ]),
  operator: z.strictObject({ user: z.string().min(1).max(255), host: z.string().min(1).max(255) }),
});
export type EncryptionRequest = z.infer<typeof encryptionRequestSchema>;

const changedSchema = z.object({ changedCount: z.int() });

export type EncryptionAnswer<Answered> =
  | { readonly type: "answered"; readonly answer: Answered }
  | { readonly type: "refused"; readonly sentence: string }
  | { readonly type: "silent"; readonly reason: string };

/** Time limit for a change: ten thousand buckets take a minute. */
const CHANGED_WITHIN_MS = 600_000;
const SHOWN_WITHIN_MS = 30_000;
/** Status of the page in agents without encryption. For a known action, 404 means that the bucket does not exist. */
const PAGE_IS_UNKNOWN = 404;
const ACTION_IS_UNKNOWN = 405;

/** Asks a coordinator. Never rejects. */
export async function askEncryption(
  node: AskedNode,
  { ask = askAdmin, ...options }: Asking,
): Promise<EncryptionAnswer<EncryptionPage>> {
  const answer = await ask(node, "/encryption", { timeoutMs: SHOWN_WITHIN_MS, ...options });
  return parse(pageSchema, answer, PAGE_IS_UNKNOWN);
}

/** Requests a change. Never rejects. */
export async function changeEncryption(
  node: AskedNode,
  request: EncryptionRequest,
  { ask = askAdmin, ...options }: Asking,
): Promise<EncryptionAnswer<z.infer<typeof changedSchema>>> {
  const asked = { timeoutMs: CHANGED_WITHIN_MS, ...options, post: request };
  return parse(changedSchema, await ask(node, "/encryption", asked), ACTION_IS_UNKNOWN);
}

function parse<Schema extends z.ZodType>(
  schema: Schema,
  answer: Awaited<ReturnType<AskAdmin>>,
  unknownStatus: number,
): EncryptionAnswer<z.output<Schema>> {
  if (answer.type === "silent") return answer;
  if (answer.status === unknownStatus) {
    return { type: "silent", reason: "its agent is of a version that encrypts nothing; update it" };
  }
  const parsed = schema.safeParse(answer.body);
  if (answer.status === 200 && parsed.success) return { type: "answered", answer: parsed.data };
  return { type: "refused", sentence: String(answer.body) };
}
