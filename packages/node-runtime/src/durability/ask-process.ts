/** Asks a node for its process, and the process for a restart. */
import { z } from "zod";
import { type AskedNode, askAdmin } from "../admin/ask-admin.ts";
import type { Asking } from "../admin/asking.ts";

const processSchema = z.object({
  /** Differs after every restart. */
  instance: z.string(),
  nodeIds: z.array(z.string()),
  isSupervised: z.boolean(),
  phase: z.string(),
});

export type NodeProcess = z.infer<typeof processSchema>;

export type ProcessAnswer =
  | { readonly type: "answered"; readonly process: NodeProcess }
  | { readonly type: "refused"; readonly sentence: string }
  | { readonly type: "silent"; readonly reason: string };

/** Asks a node about its process. Never rejects. */
export function askProcess(node: AskedNode, asking: Asking): Promise<ProcessAnswer> {
  return askPage(node, "/process", asking);
}

/** Asks the process of this instance to hand over and end, after which its supervisor starts it again. Never rejects. */
export function askRestart(
  node: AskedNode,
  request: { readonly instance: string; readonly noticeMs: number },
  asking: Asking,
): Promise<ProcessAnswer> {
  return askPage(node, "/restart", asking, request);
}

async function askPage(
  node: AskedNode,
  path: string,
  { ask = askAdmin, ...options }: Asking,
  post?: object,
): Promise<ProcessAnswer> {
  const answer = await ask(node, path, { ...options, post });
  if (answer.type === "silent") return answer;
  const page = processSchema.safeParse(answer.body);
  if (answer.status === 200 && page.success) return { type: "answered", process: page.data };
  const isOld = answer.status === 404 || answer.status === 405;
  const sentence = isOld
    ? `${node.id} runs a version that cannot be asked to restart. Update its sources, stop its services, and run vault join with a new bundle of its machine.`
    : String(answer.body);
  return { type: "refused", sentence };
}
