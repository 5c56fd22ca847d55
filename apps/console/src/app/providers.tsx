"use client";
import { UiProvider } from "@stashlight/ui";
import Link from "next/link";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";

export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <UiProvider LinkComponent={Link} {...(nonce === undefined ? {} : { nonce })}>
      <NuqsAdapter>{children}</NuqsAdapter>
    </UiProvider>
  );
}
