/** Requests to a node about its epoch of the vault. */
import { z } from "zod";
import type { VaultEpoch } from "../config/index.ts";
import { type AskedNode, askAdmin } from "./ask-admin.ts";
import type { Asking } from "./asking.ts";
import type { EpochNote } from "./epoch-pages.ts";

const numberSchema = z.object({ epoch: z.int() });

/** Returns null for a node that does not answer. */
export async function askEpoch(
  node: AskedNode,
  { ask = askAdmin, ...options }: Asking,
): Promise<number | null> {
  const answer = await ask(node, "/epoch", options);
  const parsed = answer.type === "answered" ? numberSchema.safeParse(answer.body) : null;
  return parsed?.data?.epoch ?? null;
}

/** Returns the unparsed epoch that the node sends; null for a node that does not answer. */
export async function fetchEpoch(node: AskedNode, { ask = askAdmin, ...options }: Asking): Promise<unknown> {
  const answer = await ask(node, "/epoch?whole", options);
  return answer.type === "answered" && answer.status === 200 ? answer.body : null;
}

export type EpochReply =
  | { readonly type: "taken" }
  | { readonly type: "refused"; readonly sentence: string }
  | { readonly type: "silent"; readonly reason: string };

/** Sends a later epoch to the node. With `isTrial` the node only answers whether it would adopt it. */
export async function announceEpoch(
  node: AskedNode,
  epoch: VaultEpoch,
  {
    isTrial = false,
    note,
    ask = askAdmin,
    ...options
  }: Asking & { readonly isTrial?: boolean; readonly note?: EpochNote | undefined },
): Promise<EpochReply> {
  const post = { epoch, isTrial, ...(note !== undefined && { note }) };
  const answer = await ask(node, "/epoch", { ...options, post });
  if (answer.type === "silent") return answer;
  if (answer.status === 200) return { type: "taken" };
  const isOld = note !== undefined && answer.status === 400;
  const sentence = isOld
    ? `${node.id} runs an agent of an earlier version, which cannot note this change in its audit log; update the agents of coordinators first.`
    : String(answer.body);
  return { type: "refused", sentence };
}
