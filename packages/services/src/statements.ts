/** SQL statements, for verbs that also run in a process without the ORM. */
import { inTransaction, type MetricClient, type Queryable } from "@stashlight/db/metrics";

/** Destination of statements: a connection of node-postgres, or one of the ORM (`statementsIn`). */
export interface Statements {
  query<Row>(text: string, values: readonly unknown[]): Promise<Row[]>;
}

export const toStatements = (client: Queryable): Statements => ({
  query: async (text, values) => (await client.query(text, [...values])).rows,
});

/** Commits all statements of `action`, or none. */
export const transact = <Result>(
  client: MetricClient,
  action: (tx: Statements) => Promise<Result>,
): Promise<Result> => inTransaction(client, (connection) => action(toStatements(connection)));
