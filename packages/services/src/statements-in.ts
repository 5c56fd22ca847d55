import type { Transaction } from "@stashlight/db";
import type { Statements } from "./statements.ts";

/** Statements in a transaction of the ORM. */
export const statementsIn = (tx: Pick<Transaction, "$queryRawUnsafe">): Statements => ({
  query: (text, values) => tx.$queryRawUnsafe(text, ...values),
});
