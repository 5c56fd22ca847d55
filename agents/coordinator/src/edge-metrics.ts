/** What S3 clients see, as metrics; told once a request is answered or lost. */
import type { ObservedRequest, OperationName } from "@stashlight/s3";
import { type Recorder, sizeClassOf } from "@stashlight/telemetry";

/** Operations that store bytes. */
const UPLOADS: ReadonlySet<OperationName | null> = new Set<OperationName>(["PutObject", "UploadPart"]);

export function countRequest(recorder: Recorder, request: ObservedRequest): void {
  const { status, durationMs, path, receivedBytes } = request;
  const operation = request.operation ?? "unknown";
  recorder.counter("stashlight_requests_total", { operation, status: String(status) }).add();
  recorder.histogram("stashlight_request_seconds", { operation }).record(durationMs / 1000);
  if (!UPLOADS.has(request.operation)) return;
  const isStored = status === 200 && path !== null;
  const result = isStored ? "stored" : (request.error?.code ?? String(status));
  recorder.counter("stashlight_uploads_total", { path: path ?? "direct", result }).add();
  if (!isStored) return;
  recorder
    .histogram("stashlight_upload_seconds", { path, size_class: sizeClassOf(receivedBytes) })
    .record(durationMs / 1000);
  recorder.counter("stashlight_upload_bytes_total", { path }).add(receivedBytes);
}
