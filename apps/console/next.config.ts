import type { NextConfig } from "next";

const config: NextConfig = {
  // Consoles that were built apart from the same sources answer each other's pages behind a load balancer.
  generateBuildId: () => process.env.STASHLIGHT_BUILD_ID ?? null,
  reactStrictMode: true,
  poweredByHeader: false,
  // Without this the client of tRPC brings its WebSockets, which nothing here opens.
  experimental: {
    optimizePackageImports: ["@trpc/client"],
    turbopackFileSystemCacheForBuild: process.env.STASHLIGHT_BUILD_CACHE !== "off",
  },
  // For everybody, not only bots: title and icon come with the page. Streamed after it, they are missing for a moment at
  // each step from page to page.
  htmlLimitedBots: /.*/,
  // Browsers ask for this name whenever a page has no icon at the moment.
  rewrites: async () => [{ source: "/favicon.ico", destination: "/favicon.svg" }],
  // `pnpm verify` checks types; the build only builds.
  typescript: { ignoreBuildErrors: true },
  transpilePackages: ["@stashlight/contracts", "@stashlight/ui"],
};

export default config;
