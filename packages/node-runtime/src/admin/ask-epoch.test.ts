import { expect, test } from "vitest";
import type { VaultEpoch } from "../config/index.ts";
import type { AskAdmin, AskedNode, AskOptions } from "./ask-admin.ts";
import { announceEpoch } from "./ask-epoch.ts";
import { retiredAuditActions } from "./epoch-pages.ts";

const node = { id: "front.coordinator" } as AskedNode;
const note = {
  action: "stash.drain",
  nodeId: "stash-1",
  operator: { user: "ann", host: "desk" },
} as const;

function announce(status: number, isNoted: boolean) {
  const ask: AskAdmin = async () => ({ type: "answered", status, body: "The body has an epoch." });
  const options = { access: {} as AskOptions["access"], ask, ...(isNoted && { note }) };
  return announceEpoch(node, {} as VaultEpoch, options);
}

test("a note to an agent of an earlier version is refused with the advice to update it", async () => {
  expect(await announce(400, true)).toEqual({
    type: "refused",
    sentence:
      "front.coordinator runs an agent of an earlier version, which cannot note this change in its audit log; update the agents of coordinators first.",
  });
  expect(await announce(400, false)).toEqual({ type: "refused", sentence: "The body has an epoch." });
  expect(await announce(409, true)).toEqual({ type: "refused", sentence: "The body has an epoch." });
  expect(await announce(200, true)).toEqual({ type: "taken" });
});

test("a command line of an earlier version learns that it has to be updated", () => {
  const [[path, act] = []] = retiredAuditActions;
  expect(path).toBe("/audit");
  expect(act).toThrow("this command line is of an earlier version than the agents");
});
