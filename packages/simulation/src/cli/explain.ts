/** Explains a failing run: shrinks it, and renders its story. */
import type { RunOptions } from "../options.ts";
import type { RunObserver } from "../run.ts";
import { shrink } from "../shrink/shrink.ts";
import { Notebook } from "../story/collected-facts.ts";
import { record } from "../story/recorder.ts";
import { renderStory, withUploadNames } from "../story/story.ts";
import { traceTo } from "../story/trace.ts";
import { examineRun, type Finding } from "./examine.ts";

export interface Explanation {
  readonly options: RunOptions;
  /** Number of smaller runs that were tried. */
  readonly runCount: number;
  readonly finding: Finding;
  readonly story: string;
}

export interface Explicable {
  readonly options: RunOptions;
  readonly finding: Finding;
  /** Time limit on trying smaller runs. */
  readonly budgetMs: number;
}

/** Shrinks the run to the fewest faults and operations that still break the same promise. */
export function explain({ options, finding, budgetMs }: Explicable): Explanation {
  const endMs = performance.now() + budgetMs;
  const fails = (candidate: RunOptions) => examineRun(candidate)[0]?.property === finding.property;
  // Skips shrinking for a run that is not deterministic: two runs that differed once may agree the next time, so
  // omitting an item proves nothing.
  const mayShrink = () => finding.property !== "determinism" && performance.now() < endMs;
  const { options: smallest, runCount } = shrink(options, fails, mayShrink);
  return { options: smallest, runCount, ...narrate(smallest, finding) };
}

/** Reports `finding` if the promise holds this time. */
export function narrate(options: RunOptions, finding: Finding): Pick<Explanation, "finding" | "story"> {
  let notebook = new Notebook(() => 0);
  const begin: RunObserver["begin"] = (world, clients) => {
    notebook = record(world, clients);
  };
  const [found] = examineRun(options, { begin });
  const { property, sentence } = found ?? finding;
  const named = { property, sentence: withUploadNames(sentence, notebook) };
  notebook.end(`BROKEN ${property}: ${named.sentence}`);
  return { finding: named, story: renderStory(notebook) };
}

/** Lists every event of the run, followed by the violation. */
export function trace(options: RunOptions): string {
  const lines: string[] = [];
  const [finding] = examineRun(
    options,
    traceTo((line) => lines.push(line)),
  );
  if (finding !== null) lines.push(`${finding.property}: ${finding.sentence}`);
  return lines.join("\n");
}
