/**
 * Writes the file of a run while it is measured. The file is complete after every write, so that it can be imported
 * however the run ends. Its details mark the run as unfinished until the end, when the file is rewritten with the
 * outcome.
 */
import { closeSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { exportRun } from "@stashlight/benchmark-formats";
import type { BenchmarkSample } from "@stashlight/contracts/sample";

/** End of the product's own JSON, after the last sample. */
const TAIL = "\n]}\n";

export interface SampleFileHead {
  readonly name: string;
  readonly details: Readonly<Record<string, string>>;
  readonly connectionCounts: readonly number[];
}

export class SampleFile {
  readonly name: string;
  readonly #path: string;
  readonly #head: SampleFileHead;
  readonly #samples: BenchmarkSample[] = [];
  readonly #waiting: BenchmarkSample[] = [];
  readonly #descriptor: number;
  /** Byte offset of the tail. */
  #end: number;
  /** Reason that the file is incomplete; null without a failure. A full disk must not stop the measurement. */
  problem: string | null = null;

  /** Throws if the folder cannot be written to. `takenNames` are those of the other runs. */
  constructor(folder: string, head: SampleFileHead, takenNames: ReadonlySet<string>) {
    mkdirSync(folder, { recursive: true });
    this.#head = head;
    const { name, text } = this.#render("unfinished", []);
    this.name = pickName(name, takenNames);
    this.#path = join(folder, this.name);
    this.#descriptor = openSync(this.#path, "w");
    this.#end = Buffer.byteLength(text) - TAIL.length;
    writeSync(this.#descriptor, text);
  }

  add(sample: BenchmarkSample): void {
    this.#waiting.push(sample);
  }

  /** Writes new samples over the tail, followed by the tail. */
  flush(): void {
    const samples = this.#waiting.splice(0);
    if (samples.length === 0 || this.problem !== null) return;
    const separator = this.#samples.length === 0 ? "" : ",\n";
    const lines = `${separator}${samples.map((sample) => JSON.stringify(sample)).join(",\n")}`;
    this.#attempt(() => {
      writeSync(this.#descriptor, `${lines}${TAIL}`, this.#end);
      this.#end += Buffer.byteLength(lines);
    });
    this.#samples.push(...samples);
  }

  end(state: string): void {
    this.flush();
    closeSync(this.#descriptor);
    if (this.problem !== null) return;
    this.#attempt(() => {
      const { text } = this.#render(state, this.#samples);
      writeFileSync(`${this.#path}.part`, text);
      renameSync(`${this.#path}.part`, this.#path);
    });
  }

  #attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.problem = `${this.#path} is incomplete: ${(error as Error).message}.`;
    }
  }

  #render(state: string, samples: readonly BenchmarkSample[]): { name: string; text: string } {
    const { name, details, connectionCounts } = this.#head;
    const tool = "stashlight bench";
    const run = { name, tool, details: { ...details, state }, connectionCounts, samples, drive: null };
    const [file] = exportRun(run, "json");
    return { name: file?.name ?? "run.json", text: new TextDecoder().decode(file?.bytes) };
  }
}

/** Names of endpoints that differ only in special characters give the same file name. */
function pickName(name: string, taken: ReadonlySet<string>): string {
  for (let count = 2; taken.has(name); count += 1) {
    const other = name.replace(/(?:~\d+)?\.json$/, `~${count}.json`);
    if (!taken.has(other)) return other;
  }
  return name;
}
