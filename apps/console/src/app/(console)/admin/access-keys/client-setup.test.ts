import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { clientSetup, s3Clients } from "./client-setup.ts";

const key = { accessKeyId: "SL0123456789ABCDEF01", secretAccessKey: "a-_Zb9" };
const plain = { url: "http://127.0.0.1:4690", region: "us-east-1" };
const secure = { url: "https://[fd00::7]:9000", region: "eu-1" };

test.each(s3Clients)(
  "the set-up of %s contains the address, the region, the key and the secret",
  (client) => {
    for (const address of [plain, secure]) {
      const setup = clientSetup(client, key, address);
      for (const value of [address.url, address.region, key.accessKeyId, key.secretAccessKey])
        expect(setup).toContain(value);
    }
  },
);

test.each(s3Clients)("the set-up of %s verifies with the vault's authority over TLS only", (client) => {
  expect(clientSetup(client, key, secure)).toContain("ca.pem");
  expect(clientSetup(client, key, plain)).not.toContain("ca.pem");
});

test.each([plain, secure])("a shell reads the AWS CLI's variables unchanged, for $url", (address) => {
  const script = clientSetup("aws", key, address).replace("aws s3 ls", "env");
  const output = execFileSync("sh", ["-c", script], { encoding: "utf8" });
  expect(output).toContain(`AWS_ACCESS_KEY_ID=${key.accessKeyId}\n`);
  expect(output).toContain(`AWS_SECRET_ACCESS_KEY=${key.secretAccessKey}\n`);
  expect(output).toContain(`AWS_ENDPOINT_URL=${address.url}\n`);
  expect(output).toContain(`AWS_DEFAULT_REGION=${address.region}\n`);
});
