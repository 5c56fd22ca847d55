/**
 * Gives failures of a connection a code. node-postgres and its pool give them none, only words, and who decides whether
 * to try again decides by code. What failed is told by where it failed: nothing but the connection fails while one is
 * opened or waited for, and everything that is asked of a lost connection fails because it is lost.
 */
import pg from "pg";

/** SQLSTATE connection_failure. */
const CONNECTION_FAILURE = "08006";

class ConnectionFailure extends Error {
  override readonly name = "ConnectionFailure";
  readonly code = CONNECTION_FAILURE;

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

const hasCode = (error: Error): boolean => "code" in error && typeof error.code === "string";
const coded = (error: Error): Error => (hasCode(error) ? error : new ConnectionFailure(error));

type Callback = (error: Error | undefined, ...rest: unknown[]) => void;
const isCallback = (value: unknown): value is Callback => typeof value === "function";

/** What node-postgres calls a query that sends itself, such as a COPY. */
interface Submittable {
  submit: unknown;
  handleError(error: Error, connection: unknown): void;
}
const isSubmittable = (value: unknown): value is Submittable =>
  typeof value === "object" && value !== null && "submit" in value && "handleError" in value;

/** A query and a wait for a connection have many forms, all of which are passed on as they came. */
const replaceMethod = (of: object, name: string, by: (...asked: unknown[]) => unknown): void => {
  Object.defineProperty(of, name, { value: by });
};

class CodedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    let loss: Error | undefined;
    // It is told before the queries that were under way, and all of them are told with this very error.
    this.on("error", (error: Error) => {
      loss ??= error;
      if (!hasCode(error)) Object.assign(error, { code: CONNECTION_FAILURE });
    });
    const { query } = this;
    replaceMethod(this, "query", (...asked) =>
      loss === undefined ? Reflect.apply(query, this, asked) : refuse(coded(loss), asked),
    );
  }
}

/** Answers in the form in which it was asked. */
function refuse(failure: Error, asked: readonly unknown[]): unknown {
  const [first] = asked;
  if (isSubmittable(first)) {
    process.nextTick(() => first.handleError(failure, undefined));
    return first;
  }
  const callback = asked.find(isCallback);
  if (callback === undefined) return Promise.reject(failure);
  process.nextTick(() => callback(failure));
}

export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...config, Client: CodedClient });
  const { connect } = pool;
  // A pool that was ended is our own doing, and no failure of the database.
  const failureOf = (error: Error): Error => (pool.ending ? error : coded(error));
  replaceMethod(pool, "connect", (callback) => {
    if (isCallback(callback)) {
      const told: Callback = (error, ...rest) => callback(error ? failureOf(error) : error, ...rest);
      return Reflect.apply(connect, pool, [told]);
    }
    const connected: Promise<pg.PoolClient> = Reflect.apply(connect, pool, []);
    return connected.catch((error: Error) => {
      throw failureOf(error);
    });
  });
  return pool;
}
