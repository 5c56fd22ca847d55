/** Reads logs in pieces outside the page's thread, so that typing stays responsive and memory is bounded. */
import { LoadReader } from "@stashlight/planner/load-log";
import type { LoadMessage, LoadQuestion } from "./messages.ts";

const TELL_EVERY_MS = 100;
const GZIP_FIRST_BYTES = [0x1f, 0x8b];

const send = (message: LoadMessage): void => postMessage(message);

addEventListener("message", ({ data }: MessageEvent<LoadQuestion>) => {
  read(data).catch((error: unknown) =>
    send({ type: "failed", sentence: error instanceof Error ? error.message : String(error) }),
  );
});

async function read({ files, smallBytesMax }: LoadQuestion): Promise<void> {
  const reader = new LoadReader({ smallBytesMax });
  const bytesTotal = files.reduce((sum, { size }) => sum + size, 0);
  let bytesRead = 0;
  let toldMs = 0;
  const count = (bytes: number): void => {
    bytesRead += bytes;
    const nowMs = performance.now();
    if (nowMs - toldMs < TELL_EVERY_MS) return;
    toldMs = nowMs;
    send({ type: "progress", bytesRead, bytesTotal, lineCount: reader.lineCount });
  };
  for (const file of files) {
    reader.startFile(file.name);
    const before = bytesRead;
    try {
      await readFile(file, reader, count);
      reader.endFile();
    } catch (error) {
      reader.failFile(describeReadError(error));
    }
    bytesRead = before + file.size;
  }
  send({ type: "done", load: reader.summary() });
}

async function readFile(file: File, reader: LoadReader, count: (bytes: number) => void): Promise<void> {
  const begin = new Uint8Array(await file.slice(0, GZIP_FIRST_BYTES.length).arrayBuffer());
  const isGzip = GZIP_FIRST_BYTES.every((byte, at) => begin[at] === byte);
  const counted = file.stream().pipeThrough(
    new TransformStream<BufferSource, BufferSource>({
      transform: (piece, controller) => {
        count(piece.byteLength);
        controller.enqueue(piece);
      },
    }),
  );
  const plain = isGzip ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
  const text = plain.pipeThrough(new TextDecoderStream()).getReader();
  for (let next = await text.read(); !next.done; next = await text.read()) reader.push(next.value);
}

/** Browsers report a damaged gz file as a TypeError, and a file changed while reading by the name of the error. */
function describeReadError(error: unknown): string {
  if (error instanceof DOMException && error.name === "NotReadableError")
    return "The file changed or can no longer be read; choose it again.";
  if (error instanceof TypeError)
    return "The gz file is damaged, truncated, or several gz files in one; unpack it and choose its content.";
  return error instanceof Error ? error.message : String(error);
}
