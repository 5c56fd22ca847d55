"use client";
import { Field, TextArea } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";

const NOTE_LENGTH_MAX = 2000;

export const isNote = (note: string): boolean => note.trim().length <= NOTE_LENGTH_MAX;

/** Note by the plan's author for its readers: assumptions, offers, decisions. */
export function NoteSection({ note, onChange }: { note: string; onChange: (note: string) => void }) {
  return (
    <div className="print:hidden">
      <Section title="Notes">
        <Field
          label="Notes for readers"
          optional
          hint="Saved with the plan, and shown to anyone with a link to it."
          error={isNote(note) ? undefined : "A note can have at most 2,000 characters."}
        >
          <TextArea rows={3} value={note} onChange={(event) => onChange(event.target.value)} />
        </Field>
      </Section>
    </div>
  );
}

/** A note with its line breaks. */
export function NoteText({ note, isOnPaperOnly = false }: { note: string; isOnPaperOnly?: boolean }) {
  const shown = isOnPaperOnly ? "hidden print:block" : "";
  return note.trim() === "" ? null : (
    <p className={`max-w-[90ch] whitespace-pre-line break-words text-ink ${shown}`}>{note.trim()}</p>
  );
}
