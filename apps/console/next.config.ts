import type { NextConfig } from "next";

const config: NextConfig = {
  // Keeps builds of the same sources compatible: consoles behind a load balancer answer each other's pages.
  generateBuildId: () => process.env.STASHLIGHT_BUILD_ID ?? null,
  reactStrictMode: true,
  poweredByHeader: false,
  // Leaves out the tRPC client's WebSockets, which nothing here opens.
  experimental: {
    optimizePackageImports: ["@trpc/client"],
    turbopackFileSystemCacheForBuild: process.env.STASHLIGHT_BUILD_CACHE !== "off",
  },
  // Blocks on metadata for every client, not only bots: streamed titles and icons are missing for a moment on each
  // navigation.
  htmlLimitedBots: /.*/,
  // Browsers request this name while a page has no icon.
  rewrites: async () => [{ source: "/favicon.ico", destination: "/favicon.svg" }],
  // `pnpm verify` checks types; the build only builds.
  typescript: { ignoreBuildErrors: true },
  transpilePackages: ["@stashlight/contracts", "@stashlight/ui"],
};

export default config;
