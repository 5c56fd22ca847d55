/**
 * The file beside the vault's file that lets an interrupted `vault restart --rolling` continue: the processes that ran
 * when it began. A process whose noted instance no longer runs has been restarted since.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DAY_MS } from "@stashlight/contracts/time";
import { writeSecretFile } from "@stashlight/node-runtime/config";
import { z } from "zod";

const noteSchema = z.strictObject({ beganAtMs: z.number(), instances: z.array(z.string()) });
type Note = z.output<typeof noteSchema>;

/** After this time a restart starts over with all agents. */
const VALID_MS = DAY_MS;

export class RestartNote {
  readonly #path: string;
  #note: Note | null;

  private constructor(path: string, note: Note | null) {
    this.#path = path;
    this.#note = note;
  }

  static open(config: string, { isFresh, nowMs }: { isFresh: boolean; nowMs: number }): RestartNote {
    const path = join(dirname(config), "rolling-restart.json");
    const note = isFresh || !existsSync(path) ? null : parseNote(readFileSync(path, "utf8"));
    return new RestartNote(path, note === null || nowMs - note.beganAtMs > VALID_MS ? null : note);
  }

  /** Start time of the restart that this one continues; null for a new one. */
  get beganAtMs(): number | null {
    return this.#note?.beganAtMs ?? null;
  }

  /** Returns the processes that still have to be restarted. */
  waiting<Step extends { readonly instance: string }>(steps: readonly Step[], nowMs: number): Step[] {
    if (this.#note === null) {
      this.#note = { beganAtMs: nowMs, instances: steps.map(({ instance }) => instance) };
      writeSecretFile(this.#path, `${JSON.stringify(this.#note, null, 2)}\n`);
    }
    const { instances } = this.#note;
    return steps.filter(({ instance }) => instances.includes(instance));
  }

  end(): void {
    rmSync(this.#path, { force: true });
  }
}

function parseNote(text: string): Note | null {
  try {
    return noteSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
