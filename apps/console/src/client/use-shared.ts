"use client";
import { useEffect, useState } from "react";
import { describeError } from "./errors.ts";

export type Shared<Document> =
  | { state: "reading" }
  | { state: "gone"; message: string }
  | { state: "open"; report: Document };

/**
 * What a link to a report shows. The token is in the fragment of the address, which browsers do not send; it travels in
 * a body instead. `read` must stay the same function.
 */
export function useShared<Document>(read: (token: string) => Promise<Document>): Shared<Document> {
  const [report, setReport] = useState<Shared<Document>>({ state: "reading" });
  useEffect(() => {
    const token = location.hash.slice(1);
    if (token.length < 20) {
      setReport({
        state: "gone",
        message: "The link is incomplete; copy it whole, with everything after the # sign.",
      });
      return;
    }
    read(token)
      .then((found) => setReport({ state: "open", report: found }))
      .catch((error: unknown) => setReport({ state: "gone", message: describeError(error) }));
  }, [read]);
  return report;
}
