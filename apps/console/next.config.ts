import type { NextConfig } from "next";

const config: NextConfig = {
  // Gives builds of the same sources one id, so that consoles behind a load balancer can answer each other's pages.
  generateBuildId: () => process.env.STASHLIGHT_BUILD_ID ?? null,
  reactStrictMode: true,
  poweredByHeader: false,
  // Leaves the tRPC client's WebSocket link out of the bundle; the console does not use it.
  experimental: {
    optimizePackageImports: ["@trpc/client"],
    turbopackFileSystemCacheForBuild: process.env.STASHLIGHT_BUILD_CACHE !== "off",
  },
  // Waits for a page's metadata for every client, not only for bots: a streamed title and icon would be missing for a
  // moment on each navigation.
  htmlLimitedBots: /.*/,
  // Browsers request /favicon.ico for pages that declare no icon.
  rewrites: async () => [{ source: "/favicon.ico", destination: "/favicon.svg" }],
  // `pnpm verify` checks types.
  typescript: { ignoreBuildErrors: true },
  transpilePackages: ["@stashlight/contracts", "@stashlight/ui"],
};

export default config;
