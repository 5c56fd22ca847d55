import type { Address, CoordinatorEvent, UploadId } from "@stashlight/write-path";
import type { Clients } from "../world/clients.ts";
import type { Notebook } from "./collected-facts.ts";
import { formatAddress } from "./describe-event.ts";
import { spy } from "./observe-method.ts";

type Request = Extract<CoordinatorEvent, { readonly type: "put" | "get" | "list" }>;

/** Records each request where it arrives, and each answer where it is given. */
export class ClientListener {
  readonly #notebook: Notebook;
  readonly #askedBy = new Map<number, Address>();

  constructor(notebook: Notebook, clients: Clients) {
    this.#notebook = notebook;
    spy(clients, "put", (token, outcome) => {
      if (outcome.type !== "stored") this.#hearAnswer(token, `"${outcome.type}"`);
      else {
        const { path, upload } = outcome;
        this.#hearAnswer(token, `"stored" by the ${path} path, {upload}`, upload.uploadId);
      }
    });
    spy(clients, "get", (token, outcome) => {
      if (outcome.type !== "found") this.#hearAnswer(token, `"${outcome.type}"`);
      else this.#hearAnswer(token, "here is {upload}", outcome.upload.uploadId);
    });
    spy(clients, "list", (token, outcome) => {
      const keys = outcome.type === "listed" ? outcome.uploads.map(({ key }) => key) : null;
      this.#hearAnswer(token, keys === null ? '"unavailable"' : `the keys are ${keys.join(", ") || "none"}`);
    });
  }

  hearRequest(address: Address, request: Request): void {
    this.#askedBy.set(request.token, address);
    this.#notebook.step(
      `a client asked ${formatAddress(address)} to ${describeRequest(request)} (request ${request.token})`,
    );
  }

  #hearAnswer(token: number, words: string, uploadId: UploadId | null = null): void {
    const by = this.#askedBy.get(token);
    this.#notebook.step(
      `${by ? formatAddress(by) : "a coordinator"} answered request ${token}: ${words}`,
      [],
      uploadId,
    );
  }
}

function describeRequest(request: Request): string {
  if (request.type === "list") return "list all keys";
  const { key } = request;
  if (request.type === "get") return request.headOnly ? `describe ${key}` : `read ${key}`;
  const { kind, sizeBytes, condition } = request;
  const what = kind === "tombstone" ? `delete ${key}` : `store ${sizeBytes} bytes as ${key}`;
  if (condition.type === "none") return what;
  if (condition.type === "absent") return `${what} if it does not exist`;
  return `${what} if it is still ${condition.type === "etag" ? condition.etag : `upload ${condition.uploadId}`}`;
}
