"use client";
import { LinkButton } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { KeyRound } from "lucide-react";

export function ApiTokensSection() {
  return (
    <Section
      title="API tokens"
      description="Let scripts and dashboards read health, metrics and benchmarks in your name."
    >
      <div>
        <LinkButton href="/settings/api-tokens" icon={<KeyRound />}>
          Manage API tokens
        </LinkButton>
      </div>
    </Section>
  );
}
