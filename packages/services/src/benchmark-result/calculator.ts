/** The threads behind result verbs: one that computes statistics, one that reads files. Neither waits for the other. */
import { join } from "node:path";
import type { ImportInput } from "@stashlight/benchmark/formats";
import { JobThread } from "../thread/job-thread.ts";
import type { PreparedImport } from "./read-import.ts";
import type { StatisticsJob, StatisticsResult } from "./statistics.ts";

export class Calculator {
  readonly #statistics = new JobThread<StatisticsJob, StatisticsResult>(
    join(import.meta.dirname, "statistics-thread.ts"),
    "computes statistics",
  );
  readonly #files = new JobThread<ImportInput, PreparedImport>(
    join(import.meta.dirname, "import-thread.ts"),
    "reads imported files",
  );

  async compute<Kind extends StatisticsJob["kind"]>(
    job: Extract<StatisticsJob, { kind: Kind }>,
  ): Promise<Extract<StatisticsResult, { kind: Kind }>> {
    return (await this.#statistics.run(job)) as Extract<StatisticsResult, { kind: Kind }>;
  }

  readFile(input: ImportInput): Promise<PreparedImport> {
    return this.#files.run(input);
  }

  async close(): Promise<void> {
    await Promise.all([this.#statistics.close(), this.#files.close()]);
  }
}
