"use client";
import { lazyPart } from "@stashlight/ui";

// Loads its content only on an error, because every page includes this file and rarely needs it.
const PageError = lazyPart(async () => (await import("./page-error.tsx")).PageError);

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

export default function ErrorPage(props: ErrorPageProps) {
  return <PageError {...props} fallback={<p className="p-6">This page could not be shown.</p>} />;
}
