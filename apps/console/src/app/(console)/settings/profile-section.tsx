"use client";
import { DefinitionList } from "@stashlight/ui/data";
import { Button, Field, FormError, TextInput } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { useToast } from "@stashlight/ui/toast";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { placeProblem, toProblem } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { type Settings, useRefreshSettings } from "./use-settings.ts";

export function ProfileSection({ settings }: { settings: Settings }) {
  const trpc = useTRPC();
  const router = useRouter();
  const toast = useToast();
  const refresh = useRefreshSettings();
  const [name, setName] = useState(settings.name);
  const update = useMutation(
    trpc.account.updateProfile.mutationOptions({
      onSuccess: async () => {
        await refresh();
        // The name stands in the shell too, which the server renders.
        router.refresh();
        toast({ title: "Saved", status: "good" });
      },
    }),
  );
  const problem = update.isError ? toProblem(update.error) : null;
  const { errorOf, formError } = placeProblem(problem, ["name"]);
  return (
    <Section title="Profile" card>
      <form
        className="flex flex-col gap-4 py-1"
        onSubmit={(event) => {
          event.preventDefault();
          update.mutate({ name });
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
            disabled={name.trim() === settings.name}
          >
            Save name
          </Button>
        </div>
      </form>
    </Section>
  );
}
