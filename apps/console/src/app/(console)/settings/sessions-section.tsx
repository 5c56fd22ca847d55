"use client";
import type { SessionRow } from "@stashlight/contracts/user";
import { Time } from "@stashlight/ui/data";
import { Badge } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { useToast } from "@stashlight/ui/toast";
import { useMutation } from "@tanstack/react-query";
import { describeError } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { describeUserAgent } from "../../../client/user-agent.ts";
import { type Settings, useRefreshSettings } from "./use-settings.ts";

export function SessionsSection({ settings }: { settings: Settings }) {
  return (
    <Section
      title="Open sessions"
      description="End any session that you do not recognise, then change your password."
    >
      <ul className="rounded-md border border-line bg-surface">
        {settings.sessions.map((session) => (
          <SessionItem key={session.id} session={session} />
        ))}
      </ul>
    </Section>
  );
}

function SessionItem({ session }: { session: SessionRow }) {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshSettings();
  const name = describeUserAgent(session.userAgent);
  const end = useMutation(
    trpc.account.endSession.mutationOptions({
      onSuccess: async () => {
        await refresh();
        toast({ title: "Session ended", description: name, status: "good" });
      },
      onError: (error) =>
        toast({ title: "The session was not ended", description: describeError(error), status: "bad" }),
    }),
  );
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-2.5 first:border-t-0">
      <div className="min-w-0">
        <p className="flex items-center gap-2 text-ink">
          {name}
          {session.current && <Badge status="info">This browser</Badge>}
        </p>
        <p className="text-sm text-faint">
          {session.ipAddress || "unknown address"} · last seen <Time value={session.lastSeenAt} show="age" />{" "}
          · since <Time value={session.createdAt} />
        </p>
      </div>
      {!session.current && (
        <Button
          size="sm"
          pending={end.isPending}
          aria-label={`End session of ${name}`}
          onClick={() => end.mutate({ sessionId: session.id })}
        >
          End session
        </Button>
      )}
    </li>
  );
}
