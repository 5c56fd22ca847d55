import { type Status, UiLink } from "@stashlight/ui";
import { Callout } from "@stashlight/ui/feedback";
import type { ReactNode } from "react";

/**
 * Shows at most two lines on a wide screen, so that three problems leave room for figures and charts; the link leads to
 * the rest.
 */
export function Problem(props: {
  readonly status: Status | undefined;
  readonly title: ReactNode;
  readonly link: { readonly href: string; readonly label: string };
  readonly children?: ReactNode;
}) {
  const { status, title, link, children } = props;
  return (
    <Callout
      status={status}
      className="py-1.5"
      action={
        <UiLink href={link.href} className="underline">
          {link.label}
        </UiLink>
      }
    >
      <p className="sm:line-clamp-2">
        <span className="font-medium text-ink">{title}</span> {children}
      </p>
    </Callout>
  );
}
