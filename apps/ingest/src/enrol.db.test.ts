import { createEnrolmentTokenInput } from "@stashlight/contracts/node";
import { createEnrolmentToken, revokeEnrolmentToken } from "@stashlight/services/node";
import { auditEvents } from "@stashlight/services/testing";
import { enrol } from "@stashlight/telemetry";
import { expect, test } from "vitest";
import { send, useTestIngest } from "./testing/harness.ts";

const ingest = await useTestIngest();

const makeToken = () =>
  createEnrolmentToken({
    ctx: ingest.admin.ctx,
    input: createEnrolmentTokenInput.parse({ vault: "main", role: "pod" }),
  });
const enrolAs = (token: string, name: string) =>
  enrol({ origin: ingest.origin, timeoutMs: 5000 }, token, { name, role: "pod", agentVersion: "1.2.3" });
const sendText = (text: string) =>
  send(
    ingest.origin,
    "POST",
    "/v1/enrol",
    { "content-length": Buffer.byteLength(text) },
    new TextEncoder().encode(text),
  );

test("a token for one machine enrols it once, and the audit log has its address", async () => {
  const { token } = await makeToken();
  expect(await enrolAs(token, "pod-1")).toMatchObject({
    type: "enrolled",
    status: "pending",
    identity: { name: "pod-1", vault: "main", key: expect.stringMatching(/^slk_/) },
  });
  const refused = await enrolAs(token, "pod-2");
  expect(refused).toEqual({
    type: "refused",
    reason: "This enrolment token has already been used; ask an admin for another.",
  });
  expect((await auditEvents(ingest.installation.platform)).at(-1)).toMatchObject({
    action: "node.enrolled",
    targetName: "pod-1",
    ipAddress: "127.0.0.1",
  });
});

test("a revoked token enrols no machine", async () => {
  const { token, tokenId } = await makeToken();
  await revokeEnrolmentToken({ ctx: ingest.admin.ctx, input: { tokenId } });
  expect(await enrolAs(token, "pod-3")).toMatchObject({ type: "refused" });
});

test.each([
  ["text that is not JSON", "{", 400, "The body is not JSON."],
  ["no token", "{}", 400, "Enter the enrolment token."],
  [
    "no name",
    JSON.stringify({ token: `sle_${"x".repeat(43)}`, name: "../pod", role: "pod" }),
    400,
    'The name of a node can have up to 63 letters, digits, ".", "_" or "-", and must begin with a letter or digit.',
  ],
  ...["__proto__", "constructor", "toString"].map((name): [string, string, number, string] => [
    `a field ${name}`,
    `{"token": "sle_x", "${name}": {"role": "pod"}}`,
    400,
    `There is no field ${name}; remove it.`,
  ]),
  ["a body of 20,000 bytes", "x".repeat(20_000), 413, "The body has 20000 bytes, and 16384 are allowed."],
])("a request with %s is refused with the reason", async (_, text, status, message) => {
  const answer = await sendText(text);
  expect(answer.status).toBe(status);
  expect((JSON.parse(answer.text) as { message: string }).message).toBe(message);
});
