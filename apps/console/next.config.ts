import type { NextConfig } from "next";

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  // `pnpm verify` checks types; the build only builds.
  typescript: { ignoreBuildErrors: true },
  transpilePackages: ["@stashlight/contracts", "@stashlight/ui"],
};

export default config;
