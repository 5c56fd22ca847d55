/**
 * Lets better-auth take part in our transactions. Its adapter gets a client that uses, at each call, the transaction of
 * the current asynchronous scope, so that its writes and the audit event commit together.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Database, Transaction } from "@stashlight/db";

interface Scope {
  readonly tx: Transaction;
  /** First database failure in this scope, of which better-auth passes on only a status. */
  failure: unknown;
}

const scope = new AsyncLocalStorage<Scope>();

export function runInScope<Result>(tx: Transaction, action: () => Promise<Result>): Promise<Result> {
  return scope.run({ tx, failure: undefined }, action);
}

/** The transaction of the current scope, for hooks that better-auth calls inside one. */
export function currentTransaction(): Transaction {
  const tx = scope.getStore()?.tx;
  if (tx === undefined) throw new Error("sign-in code ran outside a transaction scope");
  return tx;
}

export const databaseFailure = (): unknown => scope.getStore()?.failure;

export function scopedClient(db: Database): Database {
  return new Proxy(db, {
    get(target, property) {
      const current = scope.getStore();
      const found: unknown = Reflect.get(current?.tx ?? target, property);
      return current === undefined || typeof found !== "object" || found === null
        ? found
        : noting(found, current);
    },
  });
}

/** Records failures of one model's queries in the scope. */
function noting(model: object, current: Scope): object {
  return new Proxy(model, {
    get(target, property) {
      const found: unknown = Reflect.get(target, property);
      if (typeof found !== "function") return found;
      return async (...args: unknown[]): Promise<unknown> => {
        try {
          return await Reflect.apply(found, target, args);
        } catch (error) {
          current.failure ??= error;
          throw error;
        }
      };
    },
  });
}
