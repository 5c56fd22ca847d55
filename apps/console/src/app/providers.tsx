"use client";
import { UiProvider } from "@stashlight/ui";
import Link from "next/link";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ComponentProps, ReactNode } from "react";

/**
 * Fetches nothing before it is followed. Every page is made anew for each request and none has a loading screen, so
 * what is fetched ahead cannot be shown sooner, and a page with the whole navigation would ask the server 36 times.
 */
const RouterLink = (props: ComponentProps<typeof Link>) => <Link {...props} prefetch={false} />;

export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <UiProvider LinkComponent={RouterLink} {...(nonce === undefined ? {} : { nonce })}>
      <NuqsAdapter>{children}</NuqsAdapter>
    </UiProvider>
  );
}
