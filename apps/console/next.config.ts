import type { NextConfig } from "next";

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  // `pnpm verify` checks types; the build only builds.
  typescript: { ignoreBuildErrors: true },
  transpilePackages: [
    "@stashlight/api",
    "@stashlight/contracts",
    "@stashlight/db",
    "@stashlight/services",
    "@stashlight/ui",
  ],
  serverExternalPackages: ["pino", "pg"],
};

export default config;
