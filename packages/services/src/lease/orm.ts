import type { Transaction } from "@stashlight/db";
import type { LeaseConnection } from "./lease.ts";

/** The leases of rows that a transaction of the ORM works on. */
export const leasesIn = (tx: Pick<Transaction, "$queryRawUnsafe">): LeaseConnection => ({
  query: (text, values) => tx.$queryRawUnsafe(text, ...values),
});
