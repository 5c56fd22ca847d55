/** Asks a coordinator what lifecycle rules would delete. */
import { z } from "zod";
import { type AskAdmin, type AskedNode, type AskOptions, askAdmin } from "../admin/ask-admin.ts";

export const lifecyclePreviewSchema = z.strictObject({
  bucket: z.string().min(1).max(255),
  /** XML of the rules; null for the current ones. */
  document: z.string().max(4_194_304).nullable(),
});
export type LifecycleQuestion = z.infer<typeof lifecyclePreviewSchema>;

const tallySchema = z.object({ count: z.number(), bytes: z.number(), oldestMs: z.number().nullable() });

const previewSchema = z.object({
  /**
   * Totals of what each rule would delete now. An object that several rules expire, or an upload that several abort,
   * counts towards the first of them.
   */
  rules: z.array(
    z.object({ id: z.string(), isEnabled: z.boolean(), objects: tallySchema, uploads: tallySchema }),
  ),
  seenCount: z.number(),
  /** False if the bucket has more objects than could be checked within a minute. */
  isWhole: z.boolean(),
  areAllUploadsSeen: z.boolean(),
});
export type LifecyclePreview = z.infer<typeof previewSchema>;

export type LifecycleAnswer =
  | { readonly type: "answered"; readonly preview: LifecyclePreview }
  | { readonly type: "refused"; readonly sentence: string }
  | { readonly type: "silent"; readonly reason: string };

const WITHIN_MS = 90_000;

/** Asks a coordinator. Never rejects. */
export async function askLifecycle(
  node: AskedNode,
  question: LifecycleQuestion,
  { access, ask = askAdmin }: Pick<AskOptions, "access"> & { readonly ask?: AskAdmin | undefined },
): Promise<LifecycleAnswer> {
  const answer = await ask(node, "/lifecycle/preview", { access, timeoutMs: WITHIN_MS, post: question });
  if (answer.type === "silent") return answer;
  const preview = previewSchema.safeParse(answer.body);
  if (answer.status === 200 && preview.success) return { type: "answered", preview: preview.data };
  return { type: "refused", sentence: String(answer.body) };
}
