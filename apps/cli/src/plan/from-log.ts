/** `plan --from-log`: a plan whose load comes from access logs or listings, which are read here and not stored. */
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { checkStashPlanInput, type InputProblem } from "@stashlight/planner";
import {
  fillFromLoad,
  type ImportedLoad,
  isSure,
  LoadReader,
  loadParts,
  takeLoad,
} from "@stashlight/planner/load-log";
import type { PlanFromLogCommand } from "./arguments.ts";
import { loadLines } from "./load-lines.ts";
import { inputChanges, type PlanSurroundings, printAnswer, refuse } from "./plan.ts";
import { readPlanInput } from "./plan-input.ts";

interface Surroundings extends PlanSurroundings {
  /** Shows a line that the next one replaces; an empty one clears it. */
  readonly draw: (line: string) => void;
}

const CHUNK_BYTES = 262_144;
const PROGRESS_LINES = 500_000;

/** Resolves to the exit code. */
export async function showPlanFromLog(
  command: PlanFromLogCommand,
  surroundings: Surroundings,
): Promise<number> {
  const { isJson } = command;
  const { say, stdin } = surroundings;
  const source = command.input === null ? "example" : { path: command.input };
  const base = await readPlanInput(source, stdin, inputChanges(command));
  if (base.input === null) return refuse(base.problems, isJson, surroundings);
  const load = await readLogs(command, surroundings);
  const problems = loadProblems(load);
  if (problems.length > 0) return refuse(problems, isJson, surroundings);
  const found = fillFromLoad(load);
  const taken = loadParts.filter(
    (part) => found[part] !== undefined && (isSure(load, part) || command.takesListingRate),
  );
  const checked = checkStashPlanInput({ ...base.input, ...takeLoad(load, taken) });
  if (checked.input === null) return refuse(checked.problems, isJson, surroundings);
  if (!isJson) for (const line of [...loadLines(load, taken), ""]) say(line);
  return printAnswer(checked.input, command, say, { load, taken });
}

/**
 * Refuses a load if any file could not be read, because a plan from half of the logs would look like one from all of
 * them.
 */
function loadProblems(load: ImportedLoad): InputProblem[] {
  const unread = load.files.flatMap(({ name, problem }) =>
    problem === null ? [] : [{ field: "", message: `${name}: ${problem}` }],
  );
  if (unread.length > 0 || load.sizes.length > 0) return unread;
  const what = load.large.count > 0 ? `${load.large.count} uploads, all larger than --small` : "no upload";
  return [{ field: "", message: `${load.files.map(({ name }) => name).join(", ")}: there is ${what}.` }];
}

async function readLogs({ logs, smallBytesMax }: PlanFromLogCommand, surroundings: Surroundings) {
  const reader = new LoadReader({ smallBytesMax });
  for (const path of logs) {
    const name = path ?? "standard input";
    reader.startFile(name);
    try {
      await readInto(reader, path, name, surroundings);
      reader.endFile();
    } catch (error) {
      reader.failFile(describeReadError(error as NodeJS.ErrnoException));
    }
  }
  surroundings.draw("");
  return reader.summary();
}

async function readInto(
  reader: LoadReader,
  path: string | null,
  name: string,
  { stdin, draw }: Surroundings,
): Promise<void> {
  const source: Readable = path === null ? stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const decoder = new TextDecoder();
  let told = reader.lineCount;
  for await (const piece of unpacked(source)) {
    reader.push(decoder.decode(piece, { stream: true }));
    if (reader.lineCount < told + PROGRESS_LINES) continue;
    told = reader.lineCount;
    draw(`${name}: ${told.toLocaleString("en")} lines`);
  }
  reader.push(decoder.decode());
}

/** Recognises gz by its first two bytes, regardless of the file name. */
async function* unpacked(source: Readable): AsyncGenerator<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array | string>;
  const first = await pieces.next();
  if (first.done) return;
  const begin = Buffer.from(first.value as Uint8Array);
  async function* whole() {
    yield begin;
    for (let next = await pieces.next(); !next.done; next = await pieces.next())
      yield Buffer.from(next.value as Uint8Array);
  }
  if (begin[0] !== 0x1f || begin[1] !== 0x8b) {
    yield* whole();
    return;
  }
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const fed = feed(whole(), gunzip);
  fed.catch((error: Error) => gunzip.destroy(error));
  yield* gunzip;
  await fed;
}

async function feed(pieces: AsyncIterable<Uint8Array>, into: ReturnType<typeof createGunzip>): Promise<void> {
  for await (const piece of pieces) {
    if (!into.write(piece)) await new Promise((resolve) => into.once("drain", resolve));
  }
  into.end();
}

function describeReadError({ code, message }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return "there is no such file.";
  if (code === "EISDIR") return "this is a folder; name the files in it.";
  if (code === "Z_BUF_ERROR")
    return "the gz file is truncated. Copy it again, and check it with gzip -t FILE.";
  if (code?.startsWith("Z_")) return `the gz file is damaged (${message}).`;
  return `it cannot be read (${code ?? message}).`;
}
