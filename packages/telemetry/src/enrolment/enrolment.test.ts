import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { askNode, enrol } from "./enrol.ts";
import { readKeyFile, writeKeyFile } from "./key-file.ts";
import { type ObtainKeyOptions, obtainKey } from "./obtain-key.ts";

const identity = { name: "pod-1", role: "pod", agentVersion: "1.2.3" } as const;
const enrolled = { nodeId: "7f", name: "pod-1", vault: "main", key: "slk_secret" };

let folder: string;
let server: Server;
let requests: { url: string | undefined; headers: IncomingMessage["headers"]; body: string }[];
let answers: ((response: ServerResponse) => void)[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stashlight-enrolment-"));
  requests = [];
  answers = [];
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push({ url: request.url, headers: request.headers, body });
    answers.shift()?.(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

const ingest = () => ({
  origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  timeoutMs: 5000,
});
const answerWith = (status: number, value: unknown, headers: Record<string, string> = {}) =>
  answers.push((response) => void response.writeHead(status, headers).end(JSON.stringify(value)));
const obtain = (changes: Partial<ObtainKeyOptions> = {}) =>
  obtainKey({
    ...ingest(),
    keyFile: join(folder, "pod-1.json"),
    token: "sle_token",
    identity,
    onWait: () => {},
    signal: new AbortController().signal,
    ...changes,
  });

test("a machine sends its token and identity, and gets a key", async () => {
  answerWith(200, { ...enrolled, status: "pending" });
  const result = await enrol(ingest(), "sle_token", identity);
  expect(result).toEqual({ type: "enrolled", status: "pending", identity: enrolled });
  expect(requests[0]?.url).toBe("/v1/enrol");
  expect(JSON.parse(requests[0]?.body ?? "")).toEqual({ token: "sle_token", ...identity });
});

test.each([
  [401, { message: "This token has expired." }, { type: "refused", reason: "This token has expired." }],
  [409, {}, { type: "refused", reason: "The ingest answered 409." }],
  [503, { message: "Away." }, { type: "again", afterMs: 3000, reason: "Away." }],
  [429, {}, { type: "again", afterMs: 3000, reason: "The ingest answered 429." }],
  [500, {}, { type: "again", afterMs: 10_000, reason: "The ingest answered 500." }],
  [
    200,
    { key: "" },
    { type: "again", afterMs: 10_000, reason: "A server that is not an ingest answered 200." },
  ],
])("the answer %i %o is reported as %o", async (status, value, expected) => {
  answerWith(status, value, { "retry-after": "3" });
  expect(await enrol(ingest(), "sle_token", identity)).toEqual(expected);
});

test("a node asks with its key whether it was approved, and reports its version and time", async () => {
  answerWith(200, { status: "pending" });
  answerWith(403, { message: "Revoked." });
  expect(await askNode(ingest(), "slk_secret", "1.2.3", 42)).toEqual({ type: "known", status: "pending" });
  expect(requests[0]?.headers).toMatchObject({
    authorization: "Bearer slk_secret",
    "x-stashlight-agent-version": "1.2.3",
    "x-stashlight-sent-ms": "42",
  });
  expect(await askNode(ingest(), "slk_secret", "1.2.3", 42)).toEqual({ type: "refused", reason: "Revoked." });
});

test("a key is stored where only its owner can read it, and not requested again", async () => {
  answerWith(503, { message: "Away." }, { "retry-after": "0.01" });
  answerWith(200, { ...enrolled, status: "active" });
  const reasons: string[] = [];
  const onWait = (reason: string) => void reasons.push(reason);
  expect(await obtain({ onWait })).toEqual({ type: "key", identity: enrolled });
  expect(reasons).toEqual(["Away."]);
  expect((await stat(join(folder, "pod-1.json"))).mode & 0o777).toBe(0o600);
  expect(await obtain({ token: null })).toEqual({ type: "key", identity: enrolled });
  expect(requests).toHaveLength(2);
});

test("a key file that a crash left half-written and readable by all is rewritten and restricted", async () => {
  const path = join(folder, "pod-1.json");
  await writeFile(`${path}.new`, '{"nodeId"');
  await chmod(`${path}.new`, 0o644);
  await writeKeyFile(path, enrolled);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readKeyFile(path)).toEqual(enrolled);
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual(enrolled);
});

test("an agent without a token, with a refused token, or stopped while it waits, gets no key", async () => {
  expect(await obtain({ token: null })).toMatchObject({ type: "none", because: "no_token" });
  answerWith(401, { message: "Used already." });
  expect(await obtain()).toEqual({ type: "none", because: "refused", reason: "Used already." });
  answerWith(503, {});
  const stopping = new AbortController();
  expect(await obtain({ signal: stopping.signal, onWait: () => stopping.abort() })).toMatchObject({
    because: "aborted",
  });
});

test("a file that is not a key is reported by name, and not overwritten", async () => {
  await writeFile(join(folder, "pod-1.json"), "{}");
  await expect(obtain()).rejects.toThrow(/pod-1\.json holds no node key/);
});
