/** Creates forms signed by hand, for policies that no client library would write. */
import { deriveSigningKey, sign } from "../signature/signing-key.ts";
import { testKeys } from "./start-edge.ts";

export interface FormToSign {
  /** Parts of the policy; a string replaces the whole document. */
  readonly policy: { readonly expiration?: unknown; readonly conditions?: unknown } | string;
  readonly key?: { readonly id: string; readonly secret: string };
  /** YYYYMMDDTHHMMSSZ */
  readonly timestamp: string;
}

/** Returns the fields that a form needs for its signature. */
export function signForm({ policy, key = testKeys.writer, timestamp }: FormToSign): Record<string, string> {
  const scope = { date: timestamp.slice(0, 8), region: "us-east-1", service: "s3" };
  const credential = `${key.id}/${scope.date}/${scope.region}/s3/aws4_request`;
  const text = typeof policy === "string" ? policy : JSON.stringify(policy);
  const base64 = Buffer.from(text).toString("base64");
  return {
    policy: base64,
    "x-amz-algorithm": "AWS4-HMAC-SHA256",
    "x-amz-credential": credential,
    "x-amz-date": timestamp,
    "x-amz-signature": sign(deriveSigningKey(key.secret, scope), base64),
  };
}

export interface FormToSend {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly file?: Blob;
  readonly fileName?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends the form as a browser does, with the file last. */
export async function postForm({ url, fields, file, fileName, headers = {} }: FormToSend): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", file ?? new Blob(["hello"]), fileName ?? "hello.txt");
  return await fetch(url, { method: "POST", body: form, headers, redirect: "manual" });
}
