/** Opens and closes the HTTP server of a process. Accepts any server with Node's interface. */

interface Listening {
  once(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
  listen(port: number, host: string, onListening: () => void): unknown;
}

interface Closing {
  close(onClosed: () => void): unknown;
  closeIdleConnections(): void;
}

/** Resolves when connections are accepted; rejects when the port is not available. */
export function listen(server: Listening, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Resolves when requests in progress are answered completely; idle connections are closed. */
export function closeWhenAnswered(server: Closing): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(resolve));
  server.closeIdleConnections();
  return closed;
}

/** Returns a sentence about why a process cannot start; `variable` is the setting for another port. */
export function startFailure(
  who: string,
  error: unknown,
  port: string | undefined,
  variable: string,
): string {
  const { code, message } = error as { code?: string; message?: string };
  return code === "EADDRINUSE"
    ? `Port ${port} is taken by another program; end it or choose another with ${variable}.`
    : `${who} cannot start: ${message ?? error}`;
}
