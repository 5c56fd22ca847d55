import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Gives access tokens for assertions, and keeps the assertions. */
export async function startTokenServer() {
  const assertions: string[] = [];
  const state: { refuses: boolean; granted: object } = {
    refuses: false,
    granted: { access_token: "a-token", expires_in: 3600, token_type: "Bearer" },
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    assertions.push(new URLSearchParams(Buffer.concat(chunks).toString()).get("assertion") ?? "");
    const answer = state.refuses ? { error: "invalid_grant" } : state.granted;
    response.writeHead(state.refuses ? 400 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const credentials = {
    accessKeyId: "bench@tests.iam.gserviceaccount.com",
    secretAccessKey: JSON.stringify({
      type: "service_account",
      client_email: "bench@tests.iam.gserviceaccount.com",
      private_key: privateKey,
      token_uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    }),
  };
  return {
    assertions,
    credentials,
    set refuses(value: boolean) {
      state.refuses = value;
    },
    /** Sets the answer from now on. */
    set granted(value: object) {
      state.granted = value;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
