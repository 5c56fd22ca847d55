/**
 * A connection test that finds out what an endpoint supports, each finding with what was seen. It writes a few small
 * objects below a prefix of its own, and removes them.
 */
import { randomBytes, randomUUID } from "node:crypto";
import type { EndpointCheck, EndpointFinding } from "@stashlight/contracts/benchmark/endpoint";
import { cleanUp } from "../cleanup/clean-up.ts";
import { type Answer, Asker } from "../endpoint/asker.ts";
import { EndpointError, explainFailure } from "../endpoint/explain-failure.ts";
import type { RequestToPrepare } from "../endpoint/prepare-request.ts";
import {
  type EndpointCredentials,
  type EndpointTargetInput,
  endpointTargetSchema,
} from "../endpoint/target.ts";
import { bodyOf, type UploadBody } from "../run/bodies.ts";
import { clockCheckOf } from "../run/clock-check.ts";
import { compareEtag } from "../run/etag.ts";
import { runPrefixOf } from "../run/keys.ts";
import { checksumFindings } from "./checksums.ts";
import { findExpectContinue } from "./expect-continue.ts";
import { finding, type ProbeContext, wordOf } from "./finding.ts";

export interface ProbeInput {
  readonly endpoint: EndpointTargetInput;
  readonly credentials: EndpointCredentials;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 15_000;
const BODY_BYTES = 1000;

/** Resolves with what was seen, also when the endpoint cannot be used; rejects only when aborted. */
export async function probeEndpoint(input: ProbeInput): Promise<EndpointCheck> {
  const target = endpointTargetSchema.parse(input.endpoint);
  const { credentials, signal = new AbortController().signal } = input;
  const checkedAt = new Date();
  const asker = new Asker({ target, credentials, timeoutMs: TIMEOUT_MS, signal, nowMs: Date.now });
  const runPrefix = runPrefixOf(target.prefix, randomUUID());
  const context = { target, credentials, asker, runPrefix, body: bodyOf(randomBytes(BODY_BYTES)), signal };
  try {
    const findings = await findAll(context);
    const { isEmpty } = await cleanUp({ endpoint: target, credentials, runPrefix, signal });
    findings.push(
      finding("delete", isEmpty, isEmpty ? "All that was written is gone." : "Something stayed."),
    );
    return { checkedAt, isReachable: true, sentence: "The endpoint can be used.", findings };
  } catch (error) {
    signal.throwIfAborted();
    const isReachable = error instanceof EndpointError && error.failure.kind === "answered";
    return { checkedAt, isReachable, sentence: explainFailure(error, target), findings: [] };
  } finally {
    asker.close();
  }
}

/** Rejects with an EndpointError when the endpoint cannot be used at all. */
async function findAll(context: ProbeContext): Promise<EndpointFinding[]> {
  const { asker, runPrefix, body, target } = context;
  const sentMs = Date.now();
  const listed = await asker.ask({
    method: "GET",
    query: { "list-type": "2", "max-keys": "1", prefix: runPrefix },
  });
  if (listed.failure !== null) throw new EndpointError(listed.failure, target);
  const clock = clockCheckOf(listed.headers, sentMs, Date.now());
  const put = await asker.ask({ method: "PUT", key: `${runPrefix}plain`, body });
  if (put.failure !== null) throw new EndpointError(put.failure, target);
  return [
    keepAliveFinding(put),
    clock === null
      ? finding("clock", null, "Answers have no Date header.")
      : finding(
          "clock",
          Math.abs(clock.offsetMs) < 60_000,
          `This machine's clock is ${(clock.offsetMs / 1000).toFixed(1)} s ahead of the endpoint's (+- ${(clock.uncertaintyMs / 1000).toFixed(1)} s).`,
        ),
    etagFinding(put, body),
    await readFinding(context),
    await unsignedPayloadFinding(context),
    await ifNoneMatchFinding(context),
    ...(await versioningFindings(context)),
    ...(await checksumFindings(context)),
    await findExpectContinue(context),
  ];
}

function keepAliveFinding({ exchange }: Answer): EndpointFinding {
  return exchange.isCold
    ? finding("keep-alive", false, "The second request needed another connection.")
    : finding("keep-alive", true, "Two requests were answered on one connection.");
}

function etagFinding({ headers }: Answer, body: UploadBody): EndpointFinding {
  const kind = compareEtag(headers, body);
  if (kind === "same") return finding("etag-md5", true, "The ETag of an upload is its MD5.");
  const what = kind === "other" ? "another MD5" : "none that is an MD5";
  return finding("etag-md5", false, `The ETag of an upload is ${what}.`);
}

async function readFinding({ asker, runPrefix, body }: ProbeContext): Promise<EndpointFinding> {
  const answer = await asker.ask({ method: "GET", key: `${runPrefix}plain` });
  const isSame = answer.failure === null && answer.exchange.responseBody.equals(body.bytes);
  return finding(
    "read",
    isSame,
    isSame ? "An upload was read back as it was sent." : `GET: ${wordOf(answer)}.`,
  );
}

async function unsignedPayloadFinding(context: ProbeContext): Promise<EndpointFinding> {
  const { target, credentials, signal, runPrefix, body } = context;
  const asker = new Asker({
    target: { ...target, payloadSigning: "unsigned" },
    credentials,
    timeoutMs: TIMEOUT_MS,
    signal,
    nowMs: Date.now,
  });
  const answer = await asker.ask({ method: "PUT", key: `${runPrefix}unsigned`, body });
  asker.close();
  return finding(
    "unsigned-payload",
    answer.failure === null,
    `PUT with UNSIGNED-PAYLOAD: ${wordOf(answer)}.`,
  );
}

async function ifNoneMatchFinding({ asker, runPrefix, body }: ProbeContext): Promise<EndpointFinding> {
  const request: RequestToPrepare = {
    method: "PUT",
    key: `${runPrefix}plain`,
    headers: { "if-none-match": "*" },
    body,
  };
  const answer = await asker.ask(request);
  const evidence = `PUT of a key that exists, with If-None-Match: *: ${wordOf(answer)}${answer.failure === null ? ", so it was overwritten" : ""}.`;
  return finding("if-none-match", answer.status === 412, evidence);
}

async function versioningFindings({ asker, runPrefix }: ProbeContext): Promise<EndpointFinding[]> {
  const configuration = await asker.ask({ method: "GET", query: { versioning: "" } });
  const status = /<Status>(Enabled|Suspended)<\/Status>/.exec(configuration.text)?.[1];
  const isEnabled = configuration.failure === null ? status === "Enabled" : null;
  const evidence =
    configuration.failure === null
      ? `The bucket's versioning is ${status?.toLowerCase() ?? "not configured"}.`
      : `GET ?versioning: ${wordOf(configuration)}.`;
  const versions = await asker.ask({ method: "GET", query: { versions: "", prefix: runPrefix } });
  return [
    finding("versioning", isEnabled, evidence),
    finding("list-versions", versions.failure === null, `GET ?versions: ${wordOf(versions)}.`),
  ];
}
