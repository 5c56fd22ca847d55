import { AuthCard } from "@stashlight/ui/layout";

export default function NotFound() {
  return (
    <AuthCard title="Page not found" description="The address may be mistyped, or the page was removed.">
      <a href="/" className="underline">
        Go to the overview
      </a>
    </AuthCard>
  );
}
