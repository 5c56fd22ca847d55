"use client";
import { lazyPart } from "@stashlight/ui";

// Every page brings this file and none should need it, so what it shows is fetched when one fails.
const PageError = lazyPart(async () => (await import("./page-error.tsx")).PageError);

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

export default function ErrorPage(props: ErrorPageProps) {
  return <PageError {...props} fallback={<p className="p-6">This page could not be shown.</p>} />;
}
