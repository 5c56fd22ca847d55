/**
 * Lets better-auth take part in our transactions. Its adapter is given a client that looks, at each call, for the
 * transaction of the current asynchronous scope; so what it writes and the audit event commit together.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Database, Transaction } from "@stashlight/db";

const scope = new AsyncLocalStorage<Transaction>();

export function runInScope<Result>(tx: Transaction, action: () => Promise<Result>): Promise<Result> {
  return scope.run(tx, action);
}

/** The transaction of the current scope, for hooks that better-auth calls inside one. */
export function currentTransaction(): Transaction {
  const tx = scope.getStore();
  if (tx === undefined) throw new Error("sign-in code ran outside a transaction scope");
  return tx;
}

export function scopedClient(db: Database): Database {
  return new Proxy(db, {
    get(target, property) {
      const holder = scope.getStore() ?? target;
      return Reflect.get(holder, property);
    },
  });
}
