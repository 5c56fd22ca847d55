/** Threads for result verbs: one that computes statistics, and one per file being read. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Core } from "../core.ts";
import { JobThread } from "../thread/job-thread.ts";
import { FileReader } from "./file-reader.ts";
import type { StatisticsJob, StatisticsResult } from "./statistics.ts";

/** Context of services that compute statistics or read imported files: the core, and a calculator. */
export interface WithCalculator extends Core {
  readonly calculator: Calculator;
}

export class Calculator {
  readonly #statistics = new JobThread<StatisticsJob, StatisticsResult>(
    join(import.meta.dirname, "statistics-thread.ts"),
    "computes statistics",
  );
  readonly files = new FileReader();

  async compute<Kind extends StatisticsJob["kind"]>(
    job: Extract<StatisticsJob, { kind: Kind }>,
  ): Promise<Extract<StatisticsResult, { kind: Kind }>> {
    const result = await this.#statistics.run(job);
    assert(
      isOfKind(result, job.kind),
      `A job of the kind ${job.kind} has a result of the kind ${result.kind}.`,
    );
    return result;
  }

  async close(): Promise<void> {
    await Promise.all([this.#statistics.close(), this.files.close()]);
  }
}

function isOfKind<Kind extends StatisticsJob["kind"]>(
  result: StatisticsResult,
  kind: Kind,
): result is Extract<StatisticsResult, { kind: Kind }> {
  return result.kind === kind;
}
