import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { repositoryRoot } from "../run/environment.ts";
import { checkMutations, type MutationException } from "./check.ts";
import { mutationExceptions } from "./exceptions.ts";

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

const tree = {
  "packages/services/package.json": JSON.stringify({
    name: "@stashlight/services",
    exports: { "./node": "./src/node/index.ts" },
  }),
  "packages/services/src/context.ts": "export function requireRole(ctx, role) {}",
  "packages/services/src/audit/write.ts": "export async function writeAudit(tx, ctx, entry) {}",
  "packages/services/src/node/index.ts": `export { revokeNode } from "./revoke.ts";`,
  "packages/api/src/router/node.ts": `
    import { revokeNode } from "@stashlight/services/node";
    import { mutationWith, query, router } from "../trpc.ts";
    export const nodeRouter = router({ revoke: mutationWith(schema, revokeNode) });`,
};

const imports = `
  import { writeAudit } from "../audit/write.ts";
  import { requireRole } from "../context.ts";
`;

/** Findings for a verb with this code. */
function findFaults(verb: string, more: Record<string, string> = {}, exceptions: MutationException[] = []) {
  const root = mkdtempSync(join(tmpdir(), "stashlight-mutations-"));
  made.push(root);
  const files = { ...tree, "packages/services/src/node/revoke.ts": imports + verb, ...more };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkMutations(root, exceptions).map(({ message }) => message);
}

const body = `await ctx.platform.db.$transaction(async (tx) => {
  await tx.node.update({});
  await writeAudit(tx, ctx, {});
});`;

test("accepts a verb that checks a role first and writes its event in the transaction", () => {
  const verb = `export async function revokeNode({ ctx }) {
    const { db } = ctx.platform;
    requireRole(ctx, "admin");
    ${body}
  }`;
  expect(findFaults(verb)).toEqual([]);
});

test("accepts the check and the event in functions that the verb calls, in its file or in another one", () => {
  const verb = `import { change } from "./change.ts";
    export const revokeNode = ({ ctx }) => change(begin(ctx));
    function begin(ctx) { requireRole(ctx, "admin"); return ctx; }`;
  const change = `${imports} export async function change(ctx) { ${body} }`;
  expect(findFaults(verb, { "packages/services/src/node/change.ts": change })).toEqual([]);
});

test.each([
  ["checks no role", `export async function revokeNode({ ctx }) { ${body} }`, "checks a role"],
  [
    "queries the database before it checks a role",
    `export async function revokeNode({ ctx }) { await find(ctx); requireRole(ctx, "admin"); ${body} }`,
    "checks a role",
  ],
  [
    "calls a function that queries the database before it checks a role",
    `export async function revokeNode({ ctx }) { await begin(ctx); ${body} }
     async function begin(ctx) { await ctx.platform.db.node.count(); requireRole(ctx, "admin"); }`,
    "checks a role",
  ],
  [
    "writes no event",
    `export async function revokeNode({ ctx }) { requireRole(ctx, "admin"); }`,
    "writes no audit event",
  ],
  [
    "writes the event through another connection",
    `export async function revokeNode({ ctx }) {
       requireRole(ctx, "admin");
       const { db } = ctx.platform;
       await db.$transaction((tx) => tx.node.update({}));
       await writeAudit(db, ctx, {});
     }`,
    "connection other than",
  ],
  [
    "changes rows before the transaction",
    `export async function revokeNode({ ctx }) {
       requireRole(ctx, "admin");
       await ctx.platform.db.node.updateMany({});
       await ctx.platform.db.$transaction((tx) => writeAudit(tx, ctx, {}));
     }`,
    "outside of the transaction",
  ],
])("refuses a verb that %s", (_, verb, fault) => {
  expect(findFaults(verb)).toEqual([expect.stringMatching(new RegExp(`^revokeNode .*${fault}`))]);
});

test("refuses a mutation written in its router", () => {
  const router = "export const nodeRouter = router({ revoke: mutationWith(schema, async () => {}) });";
  expect(findFaults("", { "packages/api/src/router/node.ts": router })).toEqual([
    expect.stringContaining("something other than a verb"),
  ]);
});

test("an exception allows the fault that it names, and is refused if no mutation needs it", () => {
  const verb = `export async function revokeNode({ ctx }) { ${body} }`;
  const because = "the test requires it";
  const role = { verb: "revokeNode", may: "check no role", because } as const;
  const event = { verb: "revokeNode", may: "write no audit event", because } as const;
  expect(findFaults(verb, {}, [role])).toEqual([]);
  expect(findFaults(verb, {}, [role, event])).toEqual([expect.stringContaining("remove the row")]);
});

test("every mutation of the API checks a role and leaves an audit event, except for the exceptions", () => {
  expect(checkMutations(repositoryRoot, mutationExceptions)).toEqual([]);
}, 60_000);
