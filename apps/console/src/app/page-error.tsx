"use client";
import { ErrorState } from "@stashlight/ui/feedback";

/** Replaces a page that failed to render. The digest identifies the error in the console's log. */
export function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <div className="p-6">
      <ErrorState
        title="This page could not be shown"
        reason="An error occurred while the page was rendered."
        advice="Try again; the console's log has the details."
        {...(error.digest === undefined ? {} : { requestId: error.digest })}
        onRetry={reset}
      />
    </div>
  );
}
