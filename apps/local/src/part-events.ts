/**
 * Terminal messages about parts that ended. A part that keeps failing is reported once, and once more when it recovers.
 */
import { readLastLine } from "./log-files.ts";
import type { SupervisorEvent } from "./supervisor.ts";

const lineCharactersMax = 300;

export function describeEvent(event: SupervisorEvent): string[] {
  const { label } = event.part;
  switch (event.type) {
    case "ended": {
      const seconds = (event.restartInMs / 1000).toFixed(1);
      return [`${label} ended unexpectedly (${event.reason}); restarting it in ${seconds} s.`];
    }
    case "restarted":
      return [`${label} is running again.`];
    case "failing":
      return describeFailing(event);
    case "steady": {
      const minutes = event.ranMs / 60_000;
      return [
        `${label} has recovered: it has run for ${minutes} minutes after ${event.failureCount} failures.`,
      ];
    }
    case "done":
      return [`${label} has ended: all of its nodes have left the vault.`];
  }
}

function describeFailing({
  part,
  reason,
  failureCount,
  restartInMsMax,
}: Extract<SupervisorEvent, { type: "failing" }>): string[] {
  const { label, consequence, logFile } = part;
  const lastLine = logFile === undefined ? undefined : readLastLine(logFile)?.trim();
  return [
    `${label} keeps failing: ${failureCount} times in a row, the last time because: ${reason.replace(/\.$/, "")}.`,
    `  It is restarted after at most ${restartInMsMax / 1000} s each time; everything else keeps running.`,
    ...(consequence === undefined ? [] : [`  ${consequence}`]),
    ...(lastLine === undefined ? [] : [`  ${logFile} ends with: ${messageIn(lastLine)}`]),
  ];
}

/** Extracts the message of a JSON line, as the parts log it, with the error's message and without its stack. */
function messageIn(line: string): string {
  let text = line;
  try {
    const logged: { msg?: unknown; err?: { message?: unknown } } | null = JSON.parse(line);
    const parts = [logged?.msg, logged?.err?.message].filter((part) => typeof part === "string");
    if (parts.length > 0) text = parts.join(": ");
  } catch {
    // The line is plain text.
  }
  return text.slice(0, lineCharactersMax);
}
