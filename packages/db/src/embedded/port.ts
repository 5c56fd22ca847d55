import { createServer } from "node:net";

/** Returns the preferred loopback port if it is free, or else another one. */
export async function choosePort(wanted: number | undefined): Promise<number> {
  return (wanted !== undefined && (await tryPort(wanted))) || (await anyPort());
}

async function anyPort(): Promise<number> {
  const port = await tryPort(0);
  if (port === undefined) throw new Error("The loopback address 127.0.0.1 has no free port.");
  return port;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? address?.port : undefined));
    });
  });
}
