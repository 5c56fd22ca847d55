"use client";
import { DefinitionList } from "@stashlight/ui/data";
import { Button, Field, FormError, TextInput } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { useToast } from "@stashlight/ui/toast";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { toProblem } from "../../../client/errors.ts";
import { placeProblem } from "../../../client/place-problem.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { type Settings, useRefreshSettings } from "./use-settings.ts";

const timeZones = ["UTC", ...Intl.supportedValuesOf("timeZone")];
const browserTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

export function ProfileSection({ settings }: { settings: Settings }) {
  const trpc = useTRPC();
  const router = useRouter();
  const toast = useToast();
  const refresh = useRefreshSettings();
  const [name, setName] = useState(settings.name);
  const [timeZone, setTimeZone] = useState(settings.timeZone ?? "");
  const update = useMutation(
    trpc.account.updateProfile.mutationOptions({
      onSuccess: async () => {
        await refresh();
        // The shell takes the name and the time zone from the server.
        router.refresh();
        toast({ title: "Saved", status: "good" });
      },
    }),
  );
  const problem = update.isError ? toProblem(update.error) : null;
  const { errorOf, formError } = placeProblem(problem, ["name", "timeZone"]);
  return (
    <Section title="Profile" card>
      <form
        className="flex flex-col gap-4 py-1"
        onSubmit={(event) => {
          event.preventDefault();
          update.mutate({ name, timeZone: timeZone.trim() === "" ? null : timeZone.trim() });
        }}
      >
        <FormError>{formError}</FormError>
        <Field label="Name" error={errorOf("name")}>
          <TextInput
            value={name}
            onChange={(event) => setName(event.target.value)}
            required
            maxLength={100}
          />
        </Field>
        <TimeZoneField value={timeZone} onChange={setTimeZone} error={errorOf("timeZone")} />
        <DefinitionList
          items={[
            { term: "E-mail", value: <span className="normal-nums">{settings.email}</span> },
            { term: "Role", value: settings.role },
          ]}
        />
        <div>
          <Button
            type="submit"
            variant="primary"
            pending={update.isPending}
            disabled={name.trim() === settings.name && timeZone.trim() === (settings.timeZone ?? "")}
          >
            Save profile
          </Button>
        </div>
      </form>
    </Section>
  );
}

interface TimeZoneFieldProps {
  value: string;
  onChange: (timeZone: string) => void;
  error: string | undefined;
}

function TimeZoneField({ value, onChange, error }: TimeZoneFieldProps) {
  const zonesId = useId();
  return (
    <>
      <Field
        label="Time zone"
        optional
        hint={`Used for all times and charts. By default your browser's: ${browserTimeZone()}.`}
        error={error}
      >
        <TextInput
          value={value}
          onChange={(event) => onChange(event.target.value)}
          list={zonesId}
          placeholder="UTC"
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
        />
      </Field>
      <datalist id={zonesId}>
        {timeZones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
