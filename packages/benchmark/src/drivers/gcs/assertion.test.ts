/** Signs the assertion of the vendor's own library again: both must be identical. */
import { generateKeyPairSync } from "node:crypto";
import { JWT } from "google-auth-library";
import { expect, test } from "vitest";
import { signAssertion } from "./assertion.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const account = {
  client_email: "bench@project.iam.gserviceaccount.com",
  private_key: privateKey,
  token_uri: "https://oauth2.googleapis.com/token",
};

test("an assertion equals the one that the vendor's library builds", async () => {
  const sent: unknown[] = [];
  const client = new JWT({
    email: account.client_email,
    key: privateKey,
    scopes: ["https://www.googleapis.com/auth/devstorage.read_write"],
  });
  const request = async (options: { data?: unknown }) => {
    sent.push(options.data);
    return { data: { access_token: "t", expires_in: 3600, token_type: "Bearer" } };
  };
  Object.assign(client.transporter, { request });
  await client.authorize();
  const form = new URLSearchParams(String(sent[0]));
  expect(form.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
  const theirs = form.get("assertion") ?? "";
  const [, claims = ""] = theirs.split(".");
  const { iat } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { iat: number };
  expect(theirs).toBe(signAssertion(account, iat * 1000));
});
