/** A mail server on loopback that records what it receives, for tests of e-mails. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface ReceivedLetter {
  readonly to: readonly string[];
  /** The e-mail with its headers, as sent. */
  readonly text: string;
}

export interface MailServer {
  readonly port: number;
  readonly letters: ReceivedLetter[];
  /** Number of the next e-mails to refuse. */
  refusalCount: number;
  close(): Promise<void>;
}

export async function openMailServer(): Promise<MailServer> {
  const letters: ReceivedLetter[] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (opened.refusalCount > 0) {
          opened.refusalCount -= 1;
          done(Object.assign(new Error("Later, please."), { responseCode: 451 }));
          return;
        }
        letters.push({
          to: envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  const opened: MailServer = {
    port,
    letters,
    refusalCount: 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return opened;
}
