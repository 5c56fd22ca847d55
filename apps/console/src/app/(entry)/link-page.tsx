"use client";
import type { LinkDetails, LinkPurpose } from "@stashlight/contracts/user";
import { Skeleton } from "@stashlight/ui/feedback";
import { FormError, LinkButton } from "@stashlight/ui/form";
import { AuthCard } from "@stashlight/ui/layout";
import type { ReactNode } from "react";
import { useLink } from "../../client/use-link.ts";

interface LinkPageProps {
  purpose: LinkPurpose;
  title: string;
  describe: (details: LinkDetails) => ReactNode;
  children: (token: string, details: LinkDetails) => ReactNode;
}

/** Page behind a secret link: its content while the link is valid, or the reason that it is not. */
export function LinkPage({ purpose, title, describe, children }: LinkPageProps) {
  const link = useLink(purpose);
  if (link.state === "gone") {
    return (
      <AuthCard title="This link does not work">
        <div className="flex flex-col gap-4">
          <FormError>{link.message}</FormError>
          <LinkButton href="/sign-in" variant="secondary">
            Go to sign-in
          </LinkButton>
        </div>
      </AuthCard>
    );
  }
  if (link.state === "reading") {
    return (
      <AuthCard title={title}>
        <Skeleton width="100%" height={200} />
      </AuthCard>
    );
  }
  return (
    <AuthCard key={link.token} title={title} description={describe(link.details)}>
      {children(link.token, link.details)}
    </AuthCard>
  );
}
