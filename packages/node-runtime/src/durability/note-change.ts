/** Has a coordinator write a change of the vault to its audit log. */
import { z } from "zod";
import { type AskAdmin, type AskedNode, type AskOptions, askAdmin } from "../admin/ask-admin.ts";

/** `POST /audit` of a coordinator. */
export const noteChangeSchema = z.strictObject({
  action: z.enum(["coordinator.add", "coordinator.remove"]),
  nodeId: z.string().min(1).max(64),
  result: z.string().min(1).max(500),
  operator: z.strictObject({ user: z.string().min(1).max(255), host: z.string().min(1).max(255) }),
});

export type NotedChange = z.infer<typeof noteChangeSchema>;

export type NoteReply =
  | { readonly type: "noted" }
  | { readonly type: "refused"; readonly sentence: string }
  | { readonly type: "silent"; readonly reason: string };

type Asking = Pick<AskOptions, "access" | "signal" | "timeoutMs"> & {
  /** Over HTTP if not given. */
  readonly ask?: AskAdmin | undefined;
};

/** Never rejects. */
export async function noteChange(
  node: AskedNode,
  line: NotedChange,
  { ask = askAdmin, ...options }: Asking,
): Promise<NoteReply> {
  const answer = await ask(node, "/audit", { ...options, post: line });
  if (answer.type === "silent") return answer;
  if (answer.status === 200) return { type: "noted" };
  const isOld = answer.status === 404 || answer.status === 405;
  const sentence = isOld
    ? `${node.id} runs an agent of a version without this log; update it`
    : String(answer.body);
  return { type: "refused", sentence };
}
