import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Platform } from "../platform.ts";
import {
  browserContext,
  callAuth,
  openTestBrowser,
  openTestInstallation,
  type TestBrowser,
  type TestInstallation,
} from "../testing/index.ts";
import type { OidcOptions } from "./options.ts";

const publicUrl = "http://console.test";
const clientId = "stashlight";
const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 });
const server = createServer();
let issuer: string;
let oidc: OidcOptions;
let installation: TestInstallation;
let browser: TestBrowser;
let personCount = 0;
/** Answers of the provider by path. */
let answers: Record<string, unknown>;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on("request", ({ url = "" }, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(answers[url]));
  });
  oidc = {
    issuer,
    clientId,
    clientSecret: "secret",
    allowedNetworks: ["127.0.0.1/32"],
    name: "Test",
    newUsers: "viewer",
  };
  installation = await openTestInstallation({ publicUrl, oidc });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await installation.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  browser = openTestBrowser(publicUrl, `198.51.100.${++personCount}`);
  answers = {
    "/.well-known/openid-configuration": {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/me`,
      jwks_uri: `${issuer}/keys`,
    },
    "/keys": { keys: [{ ...publicKey.export({ format: "jwk" }), use: "sig" }] },
  };
});

interface Token {
  claims?: Record<string, unknown>;
  key?: KeyObject;
  alg?: string;
}

function signToken(nonce: string | null, { claims, key = privateKey, alg = "RS256" }: Token): string {
  const now = Math.floor(Date.now() / 1000);
  const person = { sub: `subject-${personCount}`, email: emailOf(), email_verified: true, name: "Grace" };
  const payload = { iss: issuer, aud: clientId, iat: now, exp: now + 60, nonce, ...person, ...claims };
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${encode({ alg })}.${encode(payload)}`;
  return `${text}.${alg === "none" ? "" : sign("sha256", Buffer.from(text), key).toString("base64url")}`;
}
const emailOf = () => `token-${personCount}@example.org`;

/** Signs in with a provider that answers with this token; returns the signed-in user and the browser's redirect. */
async function signInWith(token: Token | null, platform: Platform = installation.platform) {
  const body = { provider: "oidc", callbackURL: "/" };
  const begun = await callAuth(platform, browser, "/sign-in/social", body);
  const { searchParams } = new URL(((await begun.json()) as { url: string }).url);
  const idToken = token === null ? {} : { id_token: signToken(searchParams.get("nonce"), token) };
  answers["/token"] = { access_token: "access", token_type: "Bearer", ...idToken };
  const path = `/callback/oidc?code=code&state=${searchParams.get("state")}`;
  const response = await callAuth(platform, browser, path, undefined, "GET");
  const { principal } = await browserContext(platform, browser);
  return { principal, location: response.headers.get("location") };
}

test("a provider's token for this installation and sign-in opens a session", async () => {
  expect(await signInWith({})).toMatchObject({ principal: { email: emailOf() }, location: "/" });
});

const past = Math.floor(Date.now() / 1000) - 3600;
test.each<[string, Token | null]>([
  ["is missing", null],
  ["was signed with another key", { key: stranger.privateKey }],
  ["has no signature", { alg: "none" }],
  ["another provider issued", { claims: { iss: "https://elsewhere.example.org" } }],
  ["is meant for another application", { claims: { aud: "another" } }],
  ["belongs to another sign-in", { claims: { nonce: "another" } }],
  ["carries no nonce", { claims: { nonce: undefined } }],
  ["has expired", { claims: { iat: past - 60, exp: past } }],
])("a token that %s opens no session", async (_, token) => {
  answers["/me"] = { sub: `subject-${personCount}`, email: emailOf(), email_verified: true };
  const { principal, location } = await signInWith(token);
  expect(principal).toBeNull();
  expect(location).toBe("/sign-in?error=unable_to_get_user_info");
});

test("an address missing in the token is read from the provider's user information, if that has the same subject", async () => {
  const claims = { email: undefined, email_verified: undefined };
  const information = {
    sub: `subject-${personCount}`,
    email: emailOf(),
    email_verified: true,
    name: "Grace",
  };
  answers["/me"] = { ...information, sub: "somebody else" };
  expect(await signInWith({ claims })).toMatchObject({ principal: null });
  answers["/me"] = information;
  expect(await signInWith({ claims })).toMatchObject({ principal: { email: emailOf() }, location: "/" });
});

test.each([
  ["token_endpoint", {}],
  ["jwks_uri", {}],
  ["userinfo_endpoint", { email: undefined, email_verified: undefined }],
])("a %s in a network that is not allowed is not connected to", async (field, claims) => {
  let connectionCount = 0;
  const hidden = createTcpServer((socket) => {
    connectionCount += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => hidden.listen(0, "127.0.0.2", resolve));
  const { port } = hidden.address() as AddressInfo;
  const document = answers["/.well-known/openid-configuration"] as object;
  answers["/.well-known/openid-configuration"] = { ...document, [field]: `http://127.0.0.2:${port}/` };
  const platform = installation.anotherPlatform({ oidc });
  expect(await signInWith({ claims }, platform)).toMatchObject({ principal: null });
  expect(connectionCount).toBe(0);
  expect(console.error).toHaveBeenCalledWith(expect.stringContaining("127.0.0.2 belongs to this machine"));
  await new Promise((resolve) => hidden.close(resolve));
});

test("a token that the browser itself supplies is not accepted", async () => {
  const body = {
    provider: "oidc",
    callbackURL: "/",
    idToken: { token: signToken("nonce", {}), nonce: "nonce" },
  };
  const response = await callAuth(installation.platform, browser, "/sign-in/social", body);
  expect(response.status).toBe(404);
  expect((await browserContext(installation.platform, browser)).principal).toBeNull();
});
