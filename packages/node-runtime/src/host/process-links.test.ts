import type { Message } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { ProcessLinks } from "./process-links.ts";

const message = (uploadId: string) => ({ type: "stash.settled", uploadId }) as unknown as Message;

function hear(links: ProcessLinks, nodeId: string): string[] {
  const heard: string[] = [];
  links.up(nodeId, (from, to, { type }) => heard.push(`${from} ${to} ${type}`));
  return heard;
}

test("messages arrive in order after the sender's step, and an answer arrives in the next step", async () => {
  const links = new ProcessLinks(["pod-1", "stash-1"]);
  const atPod = hear(links, "pod-1");
  const order: string[] = [];
  links.up("stash-1", (from, to) => {
    order.push(`${from} ${to}`);
    links.send("pod-1", to, from, message("answer"));
    expect(atPod).toEqual([]);
  });
  links.send("stash-1", "p0", "s0", message("one"));
  links.send("stash-1", "p0", "s1", message("two"));
  expect(order).toEqual([]);
  await Promise.resolve();
  expect(order).toEqual(["p0 s0", "p0 s1"]);
  await Promise.resolve();
  expect(atPod).toEqual(["s0 p0 stash.settled", "s1 p0 stash.settled"]);
});

test("a message to a node that has not started is delivered when it starts, and one to a stopped node is lost", async () => {
  const links = new ProcessLinks(["pod-1", "stash-1"]);
  links.send("stash-1", "p0", "s0", message("early"));
  await Promise.resolve();
  expect(links.isUp("stash-1")).toBe(false);
  const heard = hear(links, "stash-1");
  expect(links.isUp("stash-1")).toBe(true);
  await Promise.resolve();
  expect(heard).toEqual(["p0 s0 stash.settled"]);
  links.down("stash-1");
  links.send("stash-1", "p0", "s0", message("late"));
  await Promise.resolve();
  expect(links.isUp("stash-1")).toBe(false);
  expect(heard).toHaveLength(1);
});

test("a node of another process is not reachable by process links", () => {
  const links = new ProcessLinks(["pod-1"]);
  expect([links.joins("pod-1"), links.joins("pod-2")]).toEqual([true, false]);
});
