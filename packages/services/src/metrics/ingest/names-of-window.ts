import { present } from "../../present.ts";
import { metricLabelNames, type SeriesName } from "./node-series.ts";

interface Name {
  readonly metric: SeriesName["metric"];
  /** The labels object of the last window, because the next one often has the same object. */
  labels: SeriesName["labels"];
}

/** The series of a window, to check whether the next window has the same in the same order. */
export class NamesOfWindow {
  readonly #names: readonly Name[];

  constructor(names: readonly SeriesName[]) {
    this.#names = names.map(({ metric, labels }) => ({ metric, labels }));
  }

  areThose(names: readonly SeriesName[]): boolean {
    if (this.#names.length !== names.length) return false;
    for (let i = 0; i < names.length; i += 1) {
      if (!isSame(present(this.#names[i]), present(names[i]))) return false;
    }
    return true;
  }
}

function isSame(known: Name, { metric, labels }: SeriesName): boolean {
  if (known.metric !== metric) return false;
  if (known.labels === labels) return true;
  for (const label of metricLabelNames(metric)) {
    if (known.labels[label] !== labels[label]) return false;
  }
  known.labels = labels;
  return true;
}
