/**
 * Leases on rows. A process that takes a row holds it for some time, and for longer while it renews the lease. The
 * leases of an ended process expire, so its rows are found, and its late writes are refused.
 *
 *     waiting -- taken --> held until its expiry <-- renewed --
 *        ^                   |-- released ------> the state that its holder wrote
 *        '-- taken again ----'-- its expiry passed
 *
 * Leases are judged by the database's clock, because the claimants' clocks differ.
 */

import type { Statements } from "../statements.ts";

/** Type of a key column's value, by its type in Postgres. */
interface KeyTypes {
  readonly uuid: string;
  readonly text: string;
  readonly timestamptz: Date;
}

type KeyColumns = Readonly<Record<string, keyof KeyTypes>>;
/** A row's key, by the columns that its table has for it. */
type KeyOf<Columns extends KeyColumns> = { readonly [Name in keyof Columns]: KeyTypes[Columns[Name]] };

/**
 * A table whose rows are leased. Its column `attempts` counts how often a row was taken, and it has a column `state`.
 */
export interface LeasedTable<Columns extends KeyColumns> {
  readonly name: string;
  readonly key: Columns;
  /** Column with the lease's expiry. */
  readonly until: string;
  /** The state of a row that is held. */
  readonly heldState: string;
}

/**
 * A table that records the holder of a row (`claimed_by`), and whether a person cancelled it (`cancel_requested_at`,
 * `_by_name`).
 */
export interface RenewableTable<Columns extends KeyColumns> extends LeasedTable<Columns> {
  readonly hasClaimant: true;
}

/** Time at which leases are judged; null for the database's clock. */
export type LeaseMoment = Date | null;

/** A process with an explicit clock, as in tests, uses it instead of the database's. */
export const leaseMoment = ({ options }: { options: { now?: () => Date } }): LeaseMoment =>
  options.now?.() ?? null;

/** Another process has taken the row, or its work was ended, so nothing more may be written for it. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** SQL of a condition on rows, with the alias `r`. */
interface Terms {
  /** The current moment. */
  readonly now: () => string;
  /** True for rows whose holder's lease has expired. */
  readonly expired: () => string;
  /** Adds a parameter with its Postgres type. */
  readonly value: (value: unknown, type: string) => string;
}

export interface DueRows {
  readonly where: (terms: Terms) => string;
  /** Further tables that the condition needs. */
  readonly join?: string;
  readonly orderBy: string;
  readonly countMax?: number;
}

export interface Claim {
  /** Unique among claimants. Left out if the table does not record the holder of a row. */
  readonly claimant?: string;
  /** Silence after which the claimant is considered lost. */
  readonly leaseMs: number;
}

/** Identifies the holder of a row. */
export interface Holder extends Required<Claim> {
  readonly attempt: number;
}

/** Locks the rows that are due until the transaction ends; skips rows that another transaction has locked. */
export async function lockDue<Columns extends KeyColumns>(
  statements: Statements,
  table: LeasedTable<Columns>,
  due: DueRows,
  at: LeaseMoment,
): Promise<KeyOf<Columns>[]> {
  const parameters = new Parameters(at);
  return statements.query<KeyOf<Columns>>(lockSql(table, due, parameters), parameters.values);
}

/** True if a row is due, whether or not it is locked. */
export async function isAnyDue<Columns extends KeyColumns>(
  statements: Statements,
  table: LeasedTable<Columns>,
  { where, join = "" }: Pick<DueRows, "where" | "join">,
  at: LeaseMoment,
): Promise<boolean> {
  const parameters = new Parameters(at);
  const condition = where(leaseTermsSql(table, parameters));
  const [row] = await statements.query<{ isAny: boolean }>(
    `SELECT EXISTS (SELECT FROM ${table.name} AS r ${join} WHERE ${condition}) AS "isAny"`,
    parameters.values,
  );
  return row?.isAny ?? false;
}

/** Waits for the rows that a claimant holds, and locks them until the transaction ends. */
export async function lockHeldBy<Columns extends KeyColumns>(
  statements: Statements,
  table: RenewableTable<Columns>,
  claimant: string,
): Promise<KeyOf<Columns>[]> {
  return statements.query<KeyOf<Columns>>(
    `SELECT ${keyColumns(table)} FROM ${table.name} AS r
      WHERE r.state = '${table.heldState}' AND r.claimed_by = $1 FOR UPDATE`,
    [claimant],
  );
}

/** Takes a row that the transaction has locked; returns how many times it has been taken. */
export async function takeLease<Columns extends KeyColumns>(
  statements: Statements,
  table: LeasedTable<Columns>,
  key: KeyOf<Columns>,
  claim: Claim,
  at: LeaseMoment,
): Promise<number> {
  const parameters = new Parameters(at);
  const [row] = await statements.query<{ attempts: number }>(
    `UPDATE ${table.name} AS r SET ${takenSql(table, claim, parameters)}
      WHERE ${isRow(table, key, parameters)} RETURNING r.attempts`,
    parameters.values,
  );
  if (row === undefined) throw new LeaseLostError(`A row of ${table.name} disappeared while it was locked.`);
  return row.attempts;
}

/** Finds and takes the rows that are due, in one statement. */
export async function claimDue<Columns extends KeyColumns>(
  statements: Statements,
  table: LeasedTable<Columns>,
  { due, ...claim }: Claim & { readonly due: DueRows },
  at: LeaseMoment,
): Promise<(KeyOf<Columns> & { attempts: number })[]> {
  const parameters = new Parameters(at);
  const isDue = Object.keys(table.key).map((column) => `r.${column} = due.${column}`);
  return statements.query<KeyOf<Columns> & { attempts: number }>(
    `WITH due AS (${lockSql(table, due, parameters)})
     UPDATE ${table.name} AS r SET ${takenSql(table, claim, parameters)}
       FROM due WHERE ${isDue.join(" AND ")} RETURNING ${keyColumns(table)}, r.attempts`,
    parameters.values,
  );
}

/** Extends a lease, and locks the row until the transaction ends. Returns the person who cancelled it, if any. */
export async function renewLease<Columns extends KeyColumns>(
  statements: Statements,
  table: RenewableTable<Columns>,
  key: KeyOf<Columns>,
  { claimant, attempt, leaseMs }: Holder,
  at: LeaseMoment,
): Promise<{ cancelledBy: string | null }> {
  const parameters = new Parameters(at);
  const [row] = await statements.query<{ is_cancelled: boolean; cancelled_by: string | null }>(
    `UPDATE ${table.name} AS r SET ${table.until} = ${parameters.inMs(leaseMs)}
      WHERE ${isRow(table, key, parameters)} AND r.state = '${table.heldState}'
        AND r.attempts = ${parameters.value(attempt, "integer")}
        AND r.claimed_by = ${parameters.value(claimant, "text")}
     RETURNING r.cancel_requested_at IS NOT NULL AS is_cancelled, r.cancel_requested_by_name AS cancelled_by`,
    parameters.values,
  );
  if (row === undefined) throw new LeaseLostError(`A row of ${table.name} belongs to another process.`);
  return { cancelledBy: row.is_cancelled ? (row.cancelled_by ?? "somebody") : null };
}

/** Ends the lease of a row that the transaction has locked; its state is for the caller to write. */
export async function releaseLease<Columns extends KeyColumns>(
  statements: Statements,
  table: LeasedTable<Columns>,
  key: KeyOf<Columns>,
): Promise<void> {
  const parameters = new Parameters(null);
  await statements.query(
    `UPDATE ${table.name} AS r SET ${table.until} = NULL WHERE ${isRow(table, key, parameters)}`,
    parameters.values,
  );
}

/** The values of a statement, in the order in which its text names them. */
class Parameters {
  readonly values: unknown[] = [];
  readonly #at: LeaseMoment;

  constructor(at: LeaseMoment) {
    this.#at = at;
  }

  value(value: unknown, type: string): string {
    this.values.push(value instanceof Date ? value.toISOString() : value);
    return `$${this.values.length}::${type}`;
  }

  now(): string {
    return this.#at === null ? "statement_timestamp()" : this.value(this.#at, "timestamptz");
  }

  inMs(ms: number): string {
    return `${this.now()} + ${this.value(ms, "integer")} * interval '1 millisecond'`;
  }
}

function lockSql<Columns extends KeyColumns>(
  table: LeasedTable<Columns>,
  { where, join = "", orderBy, countMax }: DueRows,
  parameters: Parameters,
): string {
  const condition = where(leaseTermsSql(table, parameters));
  const limit = countMax === undefined ? "" : `LIMIT ${parameters.value(countMax, "integer")}`;
  return `SELECT ${keyColumns(table)} FROM ${table.name} AS r ${join}
     WHERE ${condition} ORDER BY ${orderBy} ${limit} FOR UPDATE OF r SKIP LOCKED`;
}

const leaseTermsSql = <Columns extends KeyColumns>(
  { heldState, until }: LeasedTable<Columns>,
  parameters: Parameters,
): Terms => ({
  now: () => parameters.now(),
  expired: () => `(r.state = '${heldState}' AND r.${until} < ${parameters.now()})`,
  value: (value, type) => parameters.value(value, type),
});

function takenSql<Columns extends KeyColumns>(
  table: LeasedTable<Columns>,
  { claimant, leaseMs }: Claim,
  parameters: Parameters,
): string {
  const taken = [
    `state = '${table.heldState}'`,
    "attempts = r.attempts + 1",
    `${table.until} = ${parameters.inMs(leaseMs)}`,
  ];
  if (claimant !== undefined) taken.push(`claimed_by = ${parameters.value(claimant, "text")}`);
  return taken.join(", ");
}

function isRow<Columns extends KeyColumns>(
  table: LeasedTable<Columns>,
  key: KeyOf<Columns>,
  parameters: Parameters,
): string {
  return Object.entries(table.key)
    .map(([column, type]) => `r.${column} = ${parameters.value(key[column], type)}`)
    .join(" AND ");
}

const keyColumns = <Columns extends KeyColumns>({ key }: LeasedTable<Columns>): string =>
  Object.keys(key)
    .map((column) => `r.${column}`)
    .join(", ");
