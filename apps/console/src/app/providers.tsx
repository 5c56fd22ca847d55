"use client";
import { UiProvider } from "@stashlight/ui";
import Link from "next/link";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ComponentProps, ReactNode } from "react";

/**
 * Disables prefetching. Pages are rendered per request and have no loading screen, so prefetched data would not be
 * shown sooner, while a page with the whole navigation would send 36 requests.
 */
const RouterLink = (props: ComponentProps<typeof Link>) => <Link {...props} prefetch={false} />;

export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <UiProvider LinkComponent={RouterLink} {...(nonce === undefined ? {} : { nonce })}>
      <NuqsAdapter>{children}</NuqsAdapter>
    </UiProvider>
  );
}
