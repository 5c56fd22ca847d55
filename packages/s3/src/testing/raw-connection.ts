/** A TCP connection for bytes that no client library would send. */
import { connect, type Socket } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface RawConnection {
  write(bytes: string | Buffer): void;
  /** Resolves to the next answer; "100 Continue" counts as an answer. */
  answer(): Promise<RawAnswer>;
  /** Resolves when the server has closed the connection. */
  closed(): Promise<void>;
  /** Sends the end of the stream. */
  end(): void;
  close(): void;
}

export function openConnection(port: number): RawConnection {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  let isOver = false;
  const waiters = new Set<() => void>();
  const wake = () => {
    for (const waiter of waiters) waiter();
  };
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    received += text;
    wake();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isOver = true;
    wake();
  });
  const until = async <Value>(look: () => Value | null): Promise<Value> => {
    for (;;) {
      const value = look();
      if (value !== null) return value;
      if (isOver) throw new Error(`The connection was closed; received so far: ${JSON.stringify(received)}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      waiters.add(resolve);
      await promise;
      waiters.delete(resolve);
    }
  };
  return {
    write: (bytes) => writeTo(socket, bytes),
    answer: () =>
      until(() => {
        const taken = takeAnswer(received);
        if (taken === null) return null;
        received = taken.rest;
        return taken.answer;
      }),
    closed: () => until(() => (isOver ? true : null)).then(() => undefined),
    end: () => socket.end(),
    close: () => socket.destroy(),
  };
}

function writeTo(socket: Socket, bytes: string | Buffer): void {
  if (!socket.destroyed) socket.write(bytes);
}

function takeAnswer(received: string): { answer: RawAnswer; rest: string } | null {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const [statusLine = "", ...lines] = received.slice(0, end).split("\r\n");
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const lengthBytes = Number(headers.get("content-length") ?? 0);
  const bodyStart = end + 4;
  if (received.length < bodyStart + lengthBytes) return null;
  const body = received.slice(bodyStart, bodyStart + lengthBytes);
  return {
    answer: { status: Number(statusLine.split(" ")[1]), headers, body },
    rest: received.slice(bodyStart + lengthBytes),
  };
}

/** Formats the head of a request as sent over the wire. */
export function requestHead(method: string, url: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${url} HTTP/1.1\r\n${lines.join("")}\r\n`;
}
