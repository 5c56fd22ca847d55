/** Asks all nodes of a vault for their health and readiness, such that the answers are of one moment. */
import type { VaultNode } from "@stashlight/node-runtime/config";
import type { AdminAccess, AdminAnswer, AskAdmin } from "@stashlight/node-runtime/durability";

export interface NodePages {
  readonly nodeId: string;
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
  readonly health: AdminAnswer;
  readonly readiness: AdminAnswer;
}

/** For another question to a node that did not answer the first in time. */
const PATIENT_TIMEOUT_MS = 10_000;

/**
 * Asks silent nodes once more, because a busy node answers late, and operators take silence for a loss. If one then
 * answers, all that answer are asked again: their answers are of moments when others were still away.
 */
export async function askNodes(
  nodes: readonly VaultNode[],
  access: AdminAccess,
  ask: AskAdmin,
): Promise<ReadonlyMap<string, NodePages>> {
  const askAll = async (asked: readonly VaultNode[], options: { timeoutMs?: number }) =>
    new Map(
      await Promise.all(
        asked.map(async (node) => [node.id, await askPages(node, ask, { access, ...options })] as const),
      ),
    );
  const isSilent = (pages: NodePages | undefined): boolean =>
    pages === undefined || [pages.health, pages.readiness].some(({ type }) => type === "silent");
  const patient = { timeoutMs: PATIENT_TIMEOUT_MS };
  const first = await askAll(nodes, {});
  const silent = nodes.filter(({ id }) => isSilent(first.get(id)));
  const late = await askAll(silent, patient);
  if ([...late.values()].every(isSilent)) return new Map([...first, ...late]);
  const answering = nodes.filter(({ id }) => !isSilent(late.get(id) ?? first.get(id)));
  return new Map([...late, ...(await askAll(answering, patient))]);
}

async function askPages(
  node: VaultNode,
  ask: AskAdmin,
  options: Parameters<AskAdmin>[2],
): Promise<NodePages> {
  const askedAtMs = Date.now();
  const [[health, answeredAtMs], readiness] = await Promise.all([
    ask(node, "/healthz", options).then((answer) => [answer, Date.now()] as const),
    ask(node, "/readyz", options),
  ]);
  return { nodeId: node.id, askedAtMs, answeredAtMs, health, readiness };
}
