import type { ImportedBenchmarkRun } from "@stashlight/contracts";

export interface UploadOptions {
  file: File;
  endpointName: string;
  /** Share of the file that has left, 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** `fetch` tells nothing of an upload's progress, so this is the older way. */
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
  request.responseType = "text";
  request.upload.addEventListener("progress", ({ loaded, total }) =>
    onProgress(total > 0 ? loaded / total : 0),
  );
  request.addEventListener("load", () => {
    if (request.status === 201) resolve(JSON.parse(request.responseText) as ImportedBenchmarkRun);
    else reject(new Error(messageOf(request.responseText)));
  });
  request.addEventListener("error", () =>
    reject(new Error("Stashlight does not answer; check that it is running and that you are connected.")),
  );
  request.addEventListener("abort", () =>
    reject(new Error("The import was cancelled; nothing of it was kept.")),
  );
  signal.addEventListener("abort", () => request.abort());
  request.send(file);
  return promise;
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { message: string }).message;
  } catch {
    return text.trim() || "The file could not be imported.";
  }
}
