/**
 * Adds a code to connection failures: node-postgres and its pool only have messages, but retries are decided by code. A
 * failure is classified by where it occurs: opening or waiting for a connection can fail only because of the
 * connection, and so can every query on a lost one.
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

/** Interface of a query that sends itself, such as a COPY, in node-postgres. */
interface Submittable {
  submit: unknown;
  handleError(error: Error, connection: unknown): void;
}
const isSubmittable = (value: unknown): value is Submittable =>
  typeof value === "object" && value !== null && "submit" in value && "handleError" in value;

/** Replaces a method of node-postgres, which can be called in many forms; all are passed on unchanged. */
const replaceMethod = (of: object, name: string, by: (...asked: unknown[]) => unknown): void => {
  Object.defineProperty(of, name, { value: by });
};

class CodedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    let loss: Error | undefined;
    // Emitted before the pending queries fail, all of them with this error object.
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

/** Reports the failure in the form of the call: callback or promise. */
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
  // Errors of a pool that is being closed on purpose are not failures of the database.
  const withCode = (error: Error): Error => (pool.ending ? error : coded(error));
  replaceMethod(pool, "connect", (callback) => {
    if (isCallback(callback)) {
      const told: Callback = (error, ...rest) => callback(error ? withCode(error) : error, ...rest);
      return Reflect.apply(connect, pool, [told]);
    }
    const connected: Promise<pg.PoolClient> = Reflect.apply(connect, pool, []);
    return connected.catch((error: Error) => {
      throw withCode(error);
    });
  });
  return pool;
}
