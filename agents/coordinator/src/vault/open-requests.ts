/** Requests that the coordinator's machine has not answered yet: a promise for each, by token. */
import type { CoordinatorClients } from "@stashlight/shard-store/shell";
import type { GetOutcome, ListOutcome, PutOutcome } from "@stashlight/write-path";

type Waiting<Outcome> = Map<number, (outcome: Outcome) => void>;

export class OpenRequests implements CoordinatorClients {
  readonly #puts: Waiting<PutOutcome> = new Map();
  readonly #gets: Waiting<GetOutcome> = new Map();
  readonly #lists: Waiting<ListOutcome> = new Map();
  #nextToken = 1;

  get count(): number {
    return this.#puts.size + this.#gets.size + this.#lists.size;
  }

  openPut(take: (token: number) => void): Promise<PutOutcome> {
    return this.#open(this.#puts, take);
  }

  openGet(take: (token: number) => void): Promise<GetOutcome> {
    return this.#open(this.#gets, take);
  }

  openList(take: (token: number) => void): Promise<ListOutcome> {
    return this.#open(this.#lists, take);
  }

  #open<Outcome>(waiting: Waiting<Outcome>, take: (token: number) => void): Promise<Outcome> {
    const token = this.#nextToken++;
    return new Promise((resolve) => {
      waiting.set(token, resolve);
      take(token);
    });
  }

  put(token: number, outcome: PutOutcome): void {
    settle(this.#puts, token, outcome);
  }

  get(token: number, outcome: GetOutcome): void {
    settle(this.#gets, token, outcome);
  }

  list(token: number, outcome: ListOutcome): void {
    settle(this.#lists, token, outcome);
  }
}

function settle<Outcome>(waiting: Waiting<Outcome>, token: number, outcome: Outcome): void {
  waiting.get(token)?.(outcome);
  waiting.delete(token);
}
