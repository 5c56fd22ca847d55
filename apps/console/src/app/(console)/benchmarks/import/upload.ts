import {
  type BenchmarkImportEvent,
  type BenchmarkImportProgress,
  type ImportedBenchmarkRun,
  importEventsType,
} from "@stashlight/contracts/benchmark";

export type UploadProgress =
  /** Share of the file sent, 0 to 1. */
  { stage: "sending"; sentShare: number } | BenchmarkImportProgress;

export interface UploadOptions {
  file: File;
  endpointName: string;
  onProgress: (progress: UploadProgress) => void;
  /** Closes the connection, which makes the server cancel the import. */
  signal: AbortSignal;
}

/** Uses XMLHttpRequest, because `fetch` does not report upload progress. */
export function uploadFile({
  file,
  endpointName,
  onProgress,
  signal,
}: UploadOptions): Promise<ImportedBenchmarkRun> {
  const { promise, resolve, reject } = Promise.withResolvers<ImportedBenchmarkRun>();
  const request = new XMLHttpRequest();
  const query = new URLSearchParams({ fileName: file.name.slice(-200), endpointName });
  request.open("POST", `/api/benchmarks/import?${query}`);
  request.setRequestHeader("content-type", "application/octet-stream");
  request.setRequestHeader("accept", importEventsType);
  request.responseType = "text";
  request.upload.addEventListener("progress", ({ loaded, total }) =>
    onProgress({ stage: "sending", sentShare: total > 0 ? loaded / total : 0 }),
  );
  const take = (event: BenchmarkImportEvent): void => {
    if (event.type === "progress") onProgress(event.progress);
    else if (event.type === "imported") resolve(event.imported);
    else reject(new Error(event.message));
  };
  const reader = createEventReader(take);
  request.addEventListener("progress", () => {
    if (request.status === 200) reader.read(request.responseText);
  });
  request.addEventListener("load", () => {
    if (request.status !== 200) return reject(new Error(errorMessage(request.responseText)));
    reader.read(request.responseText);
    reject(
      new Error(
        "The connection was lost before the import was confirmed. Check below whether the run was imported.",
      ),
    );
  });
  request.addEventListener("error", () =>
    reject(new Error("Stashlight does not answer; check that it is running and that you are connected.")),
  );
  request.addEventListener("abort", () =>
    reject(new Error("The import was cancelled and nothing was kept.")),
  );
  signal.addEventListener("abort", () => request.abort());
  request.send(file);
  return promise;
}

/** Reads the response received so far, and emits each complete line once. */
export function createEventReader(take: (event: BenchmarkImportEvent) => void) {
  let readLength = 0;
  return {
    read(answer: string): void {
      for (let end = answer.indexOf("\n", readLength); end >= 0; end = answer.indexOf("\n", readLength)) {
        const line = answer.slice(readLength, end);
        readLength = end + 1;
        take(JSON.parse(line) as BenchmarkImportEvent);
      }
    },
  };
}

function errorMessage(text: string): string {
  try {
    return (JSON.parse(text) as { message: string }).message;
  } catch {
    return text.trim() || "The file could not be imported.";
  }
}
