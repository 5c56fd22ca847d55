import type { BrowserContext } from "@playwright/test";

/**
 * Watches pages for problems that users do not see: console errors, uncaught exceptions, violations of the content
 * security policy, and requests to other origins than the installation's.
 */
export interface BrowserGuard {
  watch(context: BrowserContext): Promise<void>;
  /** Allows requests to another origin, such as a second installation or an identity provider. */
  allowOrigin(url: string): void;
  /** Expects an error that the test provokes, such as the browser's message about a 403. */
  expectError(pattern: RegExp): void;
  /** Unexpected problems so far. */
  problems(): readonly string[];
}

export function createBrowserGuard(): BrowserGuard {
  const origins = new Set<string>();
  const expected: RegExp[] = [];
  const seen: string[] = [];

  async function watch(context: BrowserContext): Promise<void> {
    await context.addInitScript(reportPolicyViolations);
    context.on("console", (message) => {
      if (message.type() === "error")
        seen.push(`console error: ${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (error) => seen.push(`uncaught exception: ${error.error().message}`));
    context.on("request", (request) => {
      const url = new URL(request.url());
      if (!/^(?:https?|wss?):$/.test(url.protocol)) return;
      if (!origins.has(url.origin)) seen.push(`request to another origin: ${request.url()}`);
    });
  }

  return {
    watch,
    allowOrigin: (url) => origins.add(new URL(url).origin),
    expectError: (pattern) => expected.push(pattern),
    problems: () => seen.filter((line) => !expected.some((pattern) => pattern.test(line))),
  };
}

/** Runs in the page, because Chromium prints no message for a policy that only reports. */
function reportPolicyViolations(): void {
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) => {
    console.error(
      `content security policy: ${violatedDirective} forbids ${blockedURI} in ${sourceFile || "the page"}`,
    );
  });
}
