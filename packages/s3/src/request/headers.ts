/** The headers of a request as sent, repeated ones included; Node's own table drops or joins those. */
import { validateHeaderName, validateHeaderValue } from "node:http";
import { S3Error } from "../errors.ts";

export interface RequestHeaders {
  /** Lower-case names in order of their first appearance. */
  readonly names: readonly string[];
  /** Value of a header that may be given once, as a byte string; throws if it was repeated. */
  get(name: string): string | undefined;
  /** The values of a repeated header joined by commas. */
  joined(name: string): string | undefined;
}

/** `rawHeaders` alternates names and values, as in Node's IncomingMessage. */
export function createRequestHeaders(rawHeaders: readonly string[]): RequestHeaders {
  const values = new Map<string, string[]>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    const value = rawHeaders[i + 1] as string;
    const sofar = values.get(name);
    if (sofar) sofar.push(value);
    else values.set(name, [value]);
  }
  return fromMap(values);
}

/**
 * The headers, together with those that a presigned address carries in its query (x-amz-meta-… and the like). A header
 * given in both places must have the same value in both.
 */
export function withHeadersOfQuery(
  headers: RequestHeaders,
  added: ReadonlyMap<string, string>,
): RequestHeaders {
  if (added.size === 0) return headers;
  const values = new Map<string, string[]>();
  for (const name of headers.names) values.set(name, [headers.joined(name) as string]);
  for (const [name, value] of added) {
    const sofar = values.get(name);
    if (sofar && sofar[0] !== value) {
      throw new S3Error("InvalidRequest", `The header ${name} and the query have different values.`);
    }
    values.set(name, [value]);
  }
  return fromMap(values);
}

function fromMap(values: ReadonlyMap<string, readonly string[]>): RequestHeaders {
  return {
    names: [...values.keys()],
    get: (name) => {
      const found = values.get(name);
      if (found !== undefined && found.length > 1) {
        throw new S3Error("InvalidRequest", `The header ${name} is given more than once.`);
      }
      return found?.[0];
    },
    joined: (name) => values.get(name)?.join(","),
  };
}

/**
 * Checks a name and value from a query before they are used as a header, because a line break would begin another
 * header.
 */
export function checkHeader(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch (error) {
    throw new S3Error("InvalidArgument", "A query parameter has characters that a header cannot have.", {
      cause: error,
    });
  }
}
