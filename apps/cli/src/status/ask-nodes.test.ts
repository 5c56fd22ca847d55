import type { AdminAnswer, AskAdmin } from "@stashlight/node-runtime/durability";
import { expect, test } from "vitest";
import { smallVault } from "../testing.ts";
import { askNodes } from "./ask-nodes.ts";

const { nodes } = smallVault("small", { podNodeCount: 3, stashNodeCount: 2 });
const access = { token: "sla_test", ca: null };

/** A vault whose pod-1 continues when it is asked for the second time, and whose nodes answer with their view of it. */
function stoppedVault({ continues }: { readonly continues: boolean }) {
  let isBack = false;
  const asked: string[] = [];
  const ask: AskAdmin = async ({ id }, path, { timeoutMs }): Promise<AdminAnswer> => {
    asked.push(`${id}${path}`);
    if (id === "pod-1" && (timeoutMs === undefined || !continues))
      return { type: "silent", reason: `no answer within ${timeoutMs ?? 3000} ms` };
    if (id === "pod-1") isBack = true;
    return { type: "answered", status: 200, body: { isBack } };
  };
  return { ask, asked };
}

test("all answers reflect a node that answered only the second request", async () => {
  const { ask } = stoppedVault({ continues: true });
  const pages = await askNodes(nodes, access, ask);
  const body = { type: "answered", body: { isBack: true } };
  expect([...pages.keys()].toSorted()).toEqual(nodes.map(({ id }) => id).toSorted());
  for (const { health, readiness } of pages.values()) {
    expect(health).toMatchObject(body);
    expect(readiness).toMatchObject(body);
  }
});

test("nodes that answered late are queried again once the last request has ended", async () => {
  let time = 0;
  const ask: AskAdmin = async ({ id }, _path, { timeoutMs }): Promise<AdminAnswer> => {
    if (id === "pod-2" || (id === "pod-1" && timeoutMs === undefined))
      return { type: "silent", reason: "no answer" };
    time += 1;
    return { type: "answered", status: 200, body: { time } };
  };
  const pages = await askNodes(nodes, access, ask);
  const times = [...pages.values()].flatMap(({ health }) =>
    health.type === "answered" ? [Number((health.body as { time: number }).time)] : [],
  );
  // The first two rounds ask each answering node for two pages.
  const beforeLast = 2 * (nodes.length - 2) + 2;
  expect(times).toHaveLength(nodes.length - 1);
  expect(Math.min(...times)).toBeGreaterThan(beforeLast);
});

test("a node that stays silent is queried twice, and all others once", async () => {
  const { ask, asked } = stoppedVault({ continues: false });
  const pages = await askNodes(nodes, access, ask);
  expect(pages.get("pod-1")?.health).toEqual({ type: "silent", reason: "no answer within 10000 ms" });
  expect(asked.filter((each) => each.startsWith("pod-1"))).toHaveLength(4);
  expect(asked.filter((each) => each === "coordinator-1/healthz")).toHaveLength(1);
});
