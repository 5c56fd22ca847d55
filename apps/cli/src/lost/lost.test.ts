import type { LostObject } from "@stashlight/contracts/lost-object";
import { testLostObject } from "@stashlight/contracts/testing";
import type { AskAdmin } from "@stashlight/node-runtime/durability";
import { expect, test } from "vitest";
import { parseCommand } from "../arguments.ts";
import { smallVault } from "../testing.ts";
import { collectLost } from "./collect.ts";
import { type GiveUpSurroundings, runGiveUp } from "./give-up.ts";
import { asJson } from "./lost.ts";
import { renderLost } from "./render.ts";

const config = "/project/.stashlight/vault/vault.json";
const parse = (...args: string[]) =>
  parseCommand(["vault", ...args], { projectDirectory: "/project", currentDirectory: "/here" });

test.each([
  [["lost"], { name: "lost", config, isJson: false }],
  [
    ["lost", "--json", "--config", "a", "--config", "b"],
    { name: "lost", config: "/here/a", furtherConfigs: ["/here/b"], isJson: true },
  ],
  [["lost", "-h"], { name: "help" }],
  [["give-up", "--help"], { name: "help" }],
  [
    ["give-up", "photos/2026/a b.jpg"],
    { name: "give-up", config, bucket: "photos", key: "2026/a b.jpg", isConfirmed: false },
  ],
  [
    ["give-up", "--yes", "photos/cat", "--config", "v"],
    { name: "give-up", config: "/here/v", bucket: "photos", key: "cat", isConfirmed: true },
  ],
])("reads %j", (args, command) => {
  expect(parse(...args)).toEqual(command);
});

test.each([
  [["lost", "photos"], "Unexpected argument 'photos'"],
  [["give-up"], "needs an object as BUCKET/KEY"],
  [["give-up", "photos"], "needs an object as BUCKET/KEY"],
  [["give-up", "photos/a", "photos/b"], "needs an object as BUCKET/KEY"],
  [["give-up", ".pieces/x"], "needs an object as BUCKET/KEY"],
  [["give-up", "photos/cat", "--force"], "Unknown option '--force'"],
])("refuses %j", (args, message) => {
  expect(() => parse(...args)).toThrow(message);
});

const object: LostObject = { ...testLostObject, sizeBytes: 2048, sinceMs: 60_000 };
const other: LostObject = { ...object, uploadId: "v", key: "dog", sinceMs: 90_000 };

const small = smallVault("test", { podNodeCount: 3, stashNodeCount: 3 });
const [first] = small.nodes.filter(({ role }) => role === "coordinator");
if (first === undefined) throw new Error("The vault has no coordinator.");
const second = { ...first, id: "coordinator-2" };
const vault = {
  file: { ...small, nodes: [...small.nodes, second] },
  admin: { token: "sla_test", ca: null },
};

const answering =
  (pages: Readonly<Record<string, object | null>>): AskAdmin =>
  async ({ id }) => {
    const body = pages[id] ?? null;
    return body === null
      ? { type: "silent", reason: "ECONNREFUSED" }
      : { type: "answered", status: 200, body };
  };

test("merges the lost objects of all coordinators into one list, newest first", async () => {
  const ask = answering({
    [first.id]: { total: 2, objects: [object, other] },
    "coordinator-2": { total: 1, objects: [object] },
  });
  const lost = await collectLost([vault], ask);
  expect(lost).toEqual({ total: 2, objects: [other, object], silences: [] });
});

test("names a coordinator that does not answer, or is too old", async () => {
  const lost = await collectLost([vault], async ({ id }) =>
    id === first.id
      ? { type: "silent", reason: "ECONNREFUSED" }
      : { type: "answered", status: 404, body: "There is /healthz, /readyz and /metrics." },
  );
  expect(lost.total).toBe(0);
  expect(lost.silences.toSorted()).toEqual([
    `${first.id} did not list its lost objects (ECONNREFUSED).`,
    "coordinator-2 did not list its lost objects (its agent has a version without this page).",
  ]);
});

test("the table names each object, its size, its age and the reason that it cannot be read", () => {
  const shown = renderLost({ total: 3, objects: [other, object], silences: [] }, 150_000);
  expect(shown.map((line) => line.trimEnd())).toEqual([
    "OBJECT       SIZE  SINCE  WHY",
    "photos/dog  2 KiB  1 min  4 of 20 shards readable, 16 needed; damaged on p3, p7",
    "photos/cat  2 KiB  2 min  4 of 20 shards readable, 16 needed; damaged on p3, p7",
    "and 1 more",
    expect.stringMatching(/^3 objects cannot be read\. .*replace none that may come back\.$/),
  ]);
});

test("passes nothing from a key to the terminal as a command", () => {
  const evil = { ...object, key: "\x1b]0;owned\x07cat\n" };
  const [, line] = renderLost({ total: 1, objects: [evil], silences: [] }, 60_000);
  expect(line).toContain("photos/\\x1b]0;owned\\x07cat\\x0a");
});

test("an empty list states whether all coordinators answered", () => {
  const none = { total: 0, objects: [] };
  expect(renderLost({ ...none, silences: [] }, 0)).toEqual([
    expect.stringMatching(/^No coordinator has found an object that cannot be read\. /),
  ]);
  expect(renderLost({ ...none, silences: ["c did not list its lost objects."] }, 0)).toEqual([
    "! c did not list its lost objects.",
    expect.stringMatching(/^No coordinator that answers has found an object/),
  ]);
});

test("JSON has times that people and programs can read", () => {
  expect(asJson({ total: 1, objects: [object], silences: [] })).toMatchObject({
    total: 1,
    objects: [{ bucket: "photos", key: "cat", since: "1970-01-01T00:01:00.000Z", damagedPods: [3, 7] }],
  });
});

interface Given {
  readonly isConfirmed?: boolean;
  /** Null without a terminal. */
  readonly typed?: string | null;
  readonly refusals?: Readonly<Record<string, string>>;
}

/** Runs `vault give-up photos/cat` against coordinators that find the object unless they refuse. */
async function giveUp({ isConfirmed = false, typed = null, refusals = {} }: Given) {
  const posts: { readonly id: string; readonly uploadId: unknown; readonly operator: unknown }[] = [];
  const lines: string[] = [];
  const ask: AskAdmin = async ({ id }, _path, { post }) => {
    posts.push({ id, ...(post as { uploadId: unknown; operator: unknown }) });
    const refusal = refusals[id];
    return refusal === undefined
      ? { type: "answered", status: 200, body: { object } }
      : { type: "answered", status: 409, body: refusal };
  };
  const surroundings: GiveUpSurroundings = {
    screen: { say: (line) => void lines.push(line), draw: () => {} },
    confirm: typed === null ? null : async () => typed,
    vault,
    ask,
  };
  const command = { name: "give-up", config: "", bucket: "photos", key: "cat", isConfirmed } as const;
  return { code: await runGiveUp(command, surroundings), posts, lines };
}

const person = { user: expect.stringMatching(/./), host: expect.stringMatching(/./) };

test("gives up exactly the upload that it has shown", async () => {
  const { code, posts, lines } = await giveUp({ isConfirmed: true });
  expect(code).toBe(0);
  expect(posts).toMatchObject([
    { id: first.id, uploadId: null, operator: person },
    { id: first.id, uploadId: "u", operator: person },
  ]);
  expect(lines[0]).toContain("photos/cat: 2 KiB, ETag e; 4 of 20 shards readable");
  expect(lines[1]).toContain("is given up");
});

test("requires the key to be typed on a terminal", async () => {
  expect(await giveUp({ typed: "cat\n" })).toMatchObject({ code: 0, posts: { length: 2 } });
  expect(await giveUp({ typed: "yes" })).toMatchObject({ code: 1, posts: { length: 1 } });
});

test("sends no request without a terminal and without --yes", async () => {
  await expect(giveUp({})).rejects.toThrow("run vault give-up with --yes");
});

test("queries another coordinator if the first has not found the loss", async () => {
  const { code, posts } = await giveUp({ isConfirmed: true, refusals: { [first.id]: "It can be read." } });
  expect(code).toBe(0);
  expect(posts.map(({ id }) => id)).toEqual([first.id, "coordinator-2", "coordinator-2"]);
});

test("shows the coordinator's reason for not giving up an object", async () => {
  const refusals = { [first.id]: "photos/cat can be read.", "coordinator-2": "Another reason." };
  await expect(giveUp({ isConfirmed: true, refusals })).rejects.toThrow("photos/cat can be read.");
});
