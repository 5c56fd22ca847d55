import type { Address } from "@stashlight/write-path";
import type { Network } from "../world/network.ts";
import type { Notebook } from "./collected-facts.ts";
import { nameAll } from "./describe-event.ts";
import { spy } from "./observe-method.ts";

/** Links break and heal individually, but those of one sender at one moment are reported in one sentence. */
export class LinkListener {
  readonly #notebook: Notebook;
  #links: { readonly what: string; readonly from: Address; readonly to: Address }[] = [];
  #linksUs = 0;

  constructor(notebook: Notebook, network: Network) {
    this.#notebook = notebook;
    spy(network, "breakLink", (from, to) => this.#hear("are lost", from, to));
    spy(network, "healLink", (from, to) => this.#hear("arrive again as usual", from, to));
    spy(network, "clogLink", (from, to, delayUs) => this.#hear(`take ${delayUs / 1000} ms longer`, from, to));
    spy(network, "heal", () => notebook.step("all faults are healed, and the vault comes to rest"));
  }

  #hear(what: string, from: Address, to: Address): void {
    const nowUs = this.#notebook.nowUs();
    if (this.#linksUs !== nowUs) this.tell();
    this.#linksUs = nowUs;
    this.#links.push({ what, from, to });
  }

  /** Reports the collected changes of links; called before any later fact is recorded. */
  tell(): void {
    const links = this.#links;
    this.#links = [];
    for (const [what, some] of Map.groupBy(links, (link) => link.what)) {
      for (const [from, ofSender] of Map.groupBy(some, (link) => link.from)) {
        const receivers = nameAll(ofSender.map(({ to }) => to));
        this.#notebook.detail(`messages from {who} to ${receivers} ${what}`, [from]);
      }
    }
  }
}
