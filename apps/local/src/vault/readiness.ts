/** Uses node:http, because the built-in `fetch` would stay in the supervisor's memory for this single request. */
import { get } from "node:http";

const timeoutMs = 2000;

export interface AskedPort {
  host: string;
  port: number;
  token: string;
}

/** Undefined if the node with this admin port is ready; otherwise a sentence about what it waits for. */
export function whyNotReady({ host, port, token }: AskedPort): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${token}` };
  return new Promise((resolve) => {
    const request = get(
      { host, port, path: "/readyz", headers, agent: false, timeout: timeoutMs },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => resolve(response.statusCode === 200 ? undefined : reasonIn(text)));
        response.on("error", (error) => resolve(error.message));
      },
    );
    request.on("timeout", () => request.destroy(new Error("it does not answer")));
    request.on("error", (error) => resolve(error.message));
  });
}

function reasonIn(text: string): string {
  try {
    const { reason } = JSON.parse(text) as { reason?: unknown };
    return String(reason);
  } catch {
    return "its answer cannot be read";
  }
}
