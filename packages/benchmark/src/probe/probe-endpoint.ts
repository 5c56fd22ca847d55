/**
 * Connection test that finds out which features an endpoint supports, each finding with its evidence. It writes a few
 * small objects below its own prefix, and removes them.
 */
import { randomBytes, randomUUID } from "node:crypto";
import type {
  EndpointCheck,
  EndpointCredentials,
  EndpointFinding,
  StoreKind,
} from "@stashlight/contracts/endpoint";
import { cleanUp } from "../cleanup/clean-up.ts";
import { LeftoverError } from "../cleanup/leftover-error.ts";
import { openDriver } from "../drivers/open.ts";
import { type Answer, Asker } from "../endpoint/asker.ts";
import { EndpointError, explainFailure } from "../endpoint/explain-failure.ts";
import { type EndpointTargetInput, endpointTargetSchema } from "../endpoint/target.ts";
import { toUploadBody } from "../run/bodies.ts";
import { checkClock } from "../run/clock-check.ts";
import { buildRunPrefix } from "../run/keys.ts";
import { findingsOfAzureBlob } from "./azure-blob.ts";
import { describeAnswer, finding, type ProbeContext } from "./finding.ts";
import { findingsOfGcs } from "./gcs.ts";
import { findingsOfS3 } from "./s3/findings.ts";

/** Tests for stores of one kind. */
const findingsOfKind: Record<StoreKind, (context: ProbeContext) => Promise<EndpointFinding[]>> = {
  b2: findingsOfS3,
  s3: findingsOfS3,
  r2: findingsOfS3,
  wasabi: findingsOfS3,
  "s3-compatible": findingsOfS3,
  vault: findingsOfS3,
  gcs: findingsOfGcs,
  "azure-blob": findingsOfAzureBlob,
};

export interface ProbeInput {
  readonly endpoint: EndpointTargetInput;
  readonly credentials: EndpointCredentials;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 15_000;
const BODY_BYTES = 1000;

/** Resolves with the findings, even if the endpoint cannot be used; rejects only when aborted. */
export async function probeEndpoint(input: ProbeInput): Promise<EndpointCheck> {
  const target = endpointTargetSchema.parse(input.endpoint);
  const { credentials, signal = new AbortController().signal } = input;
  const checkedAt = new Date();
  const driver = openDriver(target, credentials, Date.now);
  const asker = new Asker({ target, driver, timeoutMs: TIMEOUT_MS, signal });
  const runPrefix = buildRunPrefix(target.prefix, randomUUID());
  const body = toUploadBody(randomBytes(BODY_BYTES));
  const context = { target, credentials, driver, asker, runPrefix, body, signal };
  try {
    const findings = await findAll(context);
    const leftover = await cleanUpLeftover(context);
    findings.push(finding("delete", leftover === null, leftover ?? "All test objects were removed."));
    const sentence = leftover ?? "The endpoint can be used.";
    return { checkedAt, isReachable: true, sentence, findings };
  } catch (error) {
    signal.throwIfAborted();
    const isReachable = error instanceof EndpointError && error.failure.kind === "answered";
    return { checkedAt, isReachable, sentence: explainFailure(error, target), findings: [] };
  } finally {
    asker.close();
  }
}

/** Describes the test's own objects that remain, in a sentence; null when they are gone. */
async function cleanUpLeftover({
  target,
  credentials,
  runPrefix,
  signal,
}: ProbeContext): Promise<string | null> {
  try {
    await cleanUp({ endpoint: target, credentials, runPrefix, signal });
    return null;
  } catch (error) {
    if (error instanceof LeftoverError) return error.message;
    throw error;
  }
}

/** Rejects with an EndpointError when the endpoint cannot be used at all. */
async function findAll(context: ProbeContext): Promise<EndpointFinding[]> {
  const { asker, runPrefix, body, target } = context;
  const sentMs = Date.now();
  const listed = await asker.ask((driver) => driver.list(runPrefix, 1));
  if (listed.failure !== null) throw new EndpointError(listed.failure, target);
  const clock = checkClock(listed.headers, sentMs, Date.now());
  const put = await asker.ask((driver) => driver.put(`${runPrefix}plain`, body));
  if (put.failure !== null) throw new EndpointError(put.failure, target);
  return [
    keepAliveFinding(put),
    clock === null
      ? finding("clock", null, "Answers have no Date header.")
      : finding(
          "clock",
          Math.abs(clock.offsetMs) < 60_000,
          `This machine's clock is ${secondsText(Math.abs(clock.offsetMs))} ${clock.offsetMs < 0 ? "behind" : "ahead of"} the endpoint's (± ${secondsText(clock.uncertaintyMs)}).`,
        ),
    md5Finding(put, context),
    await readFinding(context),
    ...(await findingsOfKind[target.kind](context)),
  ];
}

const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function keepAliveFinding({ exchange }: Answer): EndpointFinding {
  return exchange.isCold
    ? finding("keep-alive", false, "The second request needed another connection.")
    : finding("keep-alive", true, "Two requests were answered on one connection.");
}

function md5Finding({ exchange }: Answer, { driver, body }: ProbeContext): EndpointFinding {
  const { md5Hex } = driver.contentOf(exchange);
  if (md5Hex === body.md5Hex) return finding("etag-md5", true, "The answer to an upload contains its MD5.");
  const what = md5Hex === null ? "no MD5" : "another MD5";
  return finding("etag-md5", false, `The answer to an upload names ${what}.`);
}

async function readFinding({ asker, runPrefix, body }: ProbeContext): Promise<EndpointFinding> {
  const answer = await asker.ask((driver) => driver.get(`${runPrefix}plain`));
  const isSame = answer.failure === null && answer.exchange.responseBody.equals(body.bytes);
  return finding(
    "read",
    isSame,
    isSame ? "An upload was read back unchanged." : `GET: ${describeAnswer(answer)}.`,
  );
}
