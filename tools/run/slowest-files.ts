/** Lists the test files that took longest, by the reports of both runners. */

export interface TimedFile {
  readonly file: string;
  readonly seconds: number;
}

interface VitestReport {
  readonly testResults?: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
  }[];
}

export function timesOfVitest(report: unknown, root: string): TimedFile[] {
  return ((report as VitestReport).testResults ?? []).map(({ name, startTime, endTime }) => ({
    file: name.startsWith(root) ? name.slice(root.length).replace(/^\//, "") : name,
    seconds: (endTime - startTime) / 1000,
  }));
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly file: string;
    readonly tests: readonly { readonly results: readonly { readonly duration: number }[] }[];
  }[];
}

export function timesOfPlaywright(report: unknown): TimedFile[] {
  const secondsByFile = new Map<string, number>();
  const add = ({ suites = [], specs = [] }: PlaywrightSuite): void => {
    for (const { file, tests } of specs) {
      const milliseconds = tests
        .flatMap(({ results }) => results)
        .reduce((sum, { duration }) => sum + duration, 0);
      secondsByFile.set(file, (secondsByFile.get(file) ?? 0) + milliseconds / 1000);
    }
    suites.forEach(add);
  };
  add(report as PlaywrightSuite);
  return [...secondsByFile].map(([file, seconds]) => ({ file: `e2e/${file}`, seconds }));
}

/** One line per file, the slowest first. */
export function formatSlowest(files: readonly TimedFile[], count: number): string {
  return files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${file}`)
    .join("\n");
}
