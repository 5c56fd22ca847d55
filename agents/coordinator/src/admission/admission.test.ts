import type { AdmissionRequest, OperationName } from "@stashlight/s3";
import { createRecorder, prometheusText } from "@stashlight/telemetry";
import { expect, test, vi } from "vitest";
import { Admission } from "./admission.ts";
import { SERVE_WITHIN_MS } from "./lane.ts";

const MIB = 1_048_576;

function startedAdmission() {
  const clock = { ms: 0 };
  const recorder = createRecorder({ nowMs: () => 0 });
  const limits = { smallUploadBytesMax: MIB, pieceBytes: 8 * MIB };
  const admission = new Admission({ recorder, nowMs: () => clock.ms, ...limits });
  let count = 0;
  const request = (operation: OperationName, bodyBytes = 0, accessKeyId = "key"): AdmissionRequest => {
    const names = { bucket: "photos", key: "cat" };
    return { requestId: `request-${++count}`, operation, accessKeyId, ...names, bodyBytes };
  };
  const metric = (start: string) =>
    prometheusText(recorder, "prometheus")
      .split("\n")
      .filter((line) => line.startsWith(start));
  return { clock, admission, request, metric };
}

const busy = { code: "SlowDown", headers: { "retry-after": "1" } };
const never = () => new Promise<void>(() => {});

test("the bytes of held bodies are limited, and releasing one admits another", async () => {
  const { admission, request, metric } = startedAdmission();
  const leaves = await Promise.all(
    Array.from({ length: 64 }, () => admission.admit(request("PutObject", MIB))),
  );
  expect(admission.heldBytes).toBe(64 * MIB);
  await expect(admission.admit(request("PutObject", MIB))).rejects.toMatchObject(busy);
  leaves[0]?.();
  await expect(admission.admit(request("PutObject", MIB))).resolves.toBeTypeOf("function");
  expect(metric("stashlight_requests_shed_total")).toEqual([
    'stashlight_requests_shed_total{operation="PutObject",reason="memory"} 1',
  ]);
});

test("a streamed body of any size counts as two pieces, and streams have their own limit", async () => {
  const { admission, request } = startedAdmission();
  const stream = () => admission.admit(request("UploadPart", 5000 * MIB));
  const leaves = await Promise.all(Array.from({ length: 32 }, stream));
  expect(admission.heldBytes).toBe(512 * MIB);
  await expect(stream()).rejects.toMatchObject(busy);
  await expect(admission.admit(request("PutObject", MIB))).resolves.toBeTypeOf("function");
  for (const leave of leaves) leave();
  expect(admission.heldBytes).toBe(MIB);
});

test("a client whose body has not arrived occupies no slot", async () => {
  const { admission, request } = startedAdmission();
  for (let i = 0; i < 60; i += 1) await admission.admit(request("PutObject", 1000));
  const last = request("PutObject", 1000, "another");
  await admission.admit(last);
  const work = { requestId: last.requestId, bytes: 1000, isPatient: false };
  expect(await admission.runUpload(work, async () => "stored")).toBe("stored");
});

test("failed work frees its slot for the next upload", async () => {
  const { admission } = startedAdmission();
  const work = { requestId: null, bytes: 9 * MIB, isPatient: false };
  const failing = admission.runUpload(work, () => Promise.reject(new Error("no")));
  const next = admission.runUpload(work, async () => "yes");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("yes");
});

test("reads, lists and deletions run while every upload slot is taken", async () => {
  const { admission, request, metric } = startedAdmission();
  for (let i = 0; i < 100; i += 1) {
    const upload = request("PutObject", 1000);
    await admission.admit(upload);
    void admission.runUpload({ requestId: upload.requestId, bytes: 1000, isPatient: true }, never);
  }
  expect(admission.waitingCount).toBeGreaterThan(0);
  for (const operation of ["GetObject", "ListObjectsV2", "DeleteObject"] as const)
    await expect(admission.admit(request(operation))).resolves.toBeTypeOf("function");
  expect(metric('stashlight_admission_wait_seconds_count{operation="GetObject"}')).toEqual([
    'stashlight_admission_wait_seconds_count{operation="GetObject"} 1',
  ]);
  admission.stop();
});

test("an upload whose turn comes too late is shed, and its work never begins", async () => {
  vi.useFakeTimers();
  try {
    const { clock, admission, request } = startedAdmission();
    const work = { requestId: null, bytes: 9 * MIB, isPatient: false };
    void admission.runUpload(work, never);
    const upload = request("PutObject", 1000);
    await admission.admit(upload);
    const run = vi.fn(never);
    const late = admission.runUpload({ requestId: upload.requestId, bytes: 1000, isPatient: false }, run);
    const answered = expect(late).rejects.toMatchObject({ code: "SlowDown" });
    clock.ms = SERVE_WITHIN_MS;
    await vi.advanceTimersByTimeAsync(100);
    await answered;
    expect(run).not.toHaveBeenCalled();
    expect(admission.waitingCount).toBe(0);
    admission.stop();
  } finally {
    vi.useRealTimers();
  }
});
