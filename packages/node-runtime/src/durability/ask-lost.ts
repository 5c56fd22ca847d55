/** Asks a coordinator which unreadable objects it has found, and to give one up. */
import {
  type LostObject,
  type LostObjects,
  lostObjectSchema,
  lostObjectsSchema,
} from "@stashlight/contracts/lost-object";
import { z } from "zod";
import { type AskedNode, askAdmin } from "../admin/ask-admin.ts";
import type { Asking } from "../admin/asking.ts";

export type LostAnswer =
  | { readonly type: "answered"; readonly lost: LostObjects }
  | { readonly type: "silent"; readonly reason: string };

/** Asks a coordinator. Never rejects. */
export async function askLost(node: AskedNode, { ask = askAdmin, ...options }: Asking): Promise<LostAnswer> {
  const answer = await ask(node, "/lost", options);
  if (answer.type === "silent") return answer;
  const page = lostObjectsSchema.safeParse(answer.body);
  if (page.success) return { type: "answered", lost: page.data };
  const reason =
    answer.status === 404 ? "its agent has a version without this page" : `status ${answer.status}`;
  return { type: "silent", reason };
}

/** `POST /give-up` of a coordinator. */
export const giveUpSchema = z.strictObject({
  bucket: z.string().min(1).max(255),
  key: z.string().min(1).max(4096),
  /** The upload that the operator has agreed to give up; null only checks whether the object can be given up. */
  uploadId: z.string().max(64).nullable(),
  operator: z.strictObject({ user: z.string().min(1).max(255), host: z.string().min(1).max(255) }),
});
export type GiveUpRequest = z.infer<typeof giveUpSchema>;

const answerSchema = z.object({ object: lostObjectSchema });

export type GiveUpAnswer =
  | { readonly type: "done"; readonly object: LostObject }
  | { readonly type: "refused"; readonly status: number; readonly sentence: string }
  | { readonly type: "silent"; readonly reason: string };

/** A failing read takes up to ten seconds, and several may follow one another. */
const GIVE_UP_WITHIN_MS = 60_000;

/** Sends the request. Never rejects. */
export async function askGiveUp(
  node: AskedNode,
  request: GiveUpRequest,
  { ask = askAdmin, ...options }: Asking,
): Promise<GiveUpAnswer> {
  const answer = await ask(node, "/give-up", { timeoutMs: GIVE_UP_WITHIN_MS, ...options, post: request });
  if (answer.type === "silent") return answer;
  const done = answerSchema.safeParse(answer.body);
  if (answer.status === 200 && done.success) return { type: "done", object: done.data.object };
  return { type: "refused", status: answer.status, sentence: String(answer.body) };
}
