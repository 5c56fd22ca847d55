import { LinkButton } from "@stashlight/ui/form";
import { AuthCard } from "@stashlight/ui/layout";

export default function NotFound() {
  return (
    <AuthCard
      title="There is no such page"
      description="The address may be mistyped, or the page was removed."
    >
      <LinkButton href="/" variant="secondary">
        Go to the overview
      </LinkButton>
    </AuthCard>
  );
}
