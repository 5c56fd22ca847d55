import type { NextConfig } from "next";

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  // Without this the client of tRPC brings its WebSockets, which nothing here opens.
  experimental: { optimizePackageImports: ["@trpc/client"] },
  // `pnpm verify` checks types; the build only builds.
  typescript: { ignoreBuildErrors: true },
  transpilePackages: ["@stashlight/contracts", "@stashlight/ui"],
};

export default config;
