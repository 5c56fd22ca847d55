import type { Role } from "@stashlight/contracts";
import type { Context, Platform } from "@stashlight/services";

/** Somebody who looks at charts. */
export const viewerOf = (platform: Platform): Context => ({
  platform,
  principal: {
    userId: "bench",
    sessionId: "bench",
    email: "bench@example.org",
    name: "bench",
    role: "viewer" satisfies Role,
    twoFactorEnabled: false,
  },
  origin: { ipAddress: "127.0.0.1", userAgent: "bench" },
});
