"use client";
import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { cx } from "../core/cx.ts";
import { backdropClass } from "../core/popup.ts";
import { Keys } from "../shortcuts/caps.tsx";
import { filterCommands } from "./command-filter.ts";
import type { Command, CommandPaletteProps } from "./command-palette.tsx";
import { KEYS_AHEAD_FIELD } from "./keys-ahead.ts";

export function CommandPalettePanel(props: CommandPaletteProps) {
  const { open, onOpenChange, ...body } = props;
  return (
    <Dialog.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup className="fixed top-[12vh] left-1/2 z-50 flex max-h-[min(440px,76vh)] w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-md border border-line-strong bg-raised shadow-overlay outline-none transition-opacity duration-[120ms] data-ending-style:opacity-0 data-starting-style:opacity-0">
          <Dialog.Title className="sr-only">Search or jump to</Dialog.Title>
          <PaletteBody {...body} close={() => onOpenChange(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function nextIndex(key: string, current: number, count: number): number | null {
  if (key === "ArrowDown") return (current + 1) % count;
  if (key === "ArrowUp") return (current - 1 + count) % count;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return null;
}

interface PaletteBodyProps extends Omit<CommandPaletteProps, "open" | "onOpenChange"> {
  close: () => void;
}

function PaletteBody(props: PaletteBodyProps) {
  const { items, placeholder = "Search everything", isSearching, close } = props;
  const id = useId();
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const found = inGroupOrder(filterCommands(items, query));
  const active = found[Math.min(chosen, found.length - 1)];

  const ask = (next: string) => {
    setQuery(next);
    setChosen(0);
    props.onQueryChange?.(next);
  };
  const run = (command: Command) => {
    close();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && active && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(active);
      return;
    }
    const next =
      found.length > 0 ? nextIndex(event.key, found.indexOf(active as Command), found.length) : null;
    if (next === null) return;
    event.preventDefault();
    setChosen(next);
  };

  return (
    <>
      <label className="flex h-12 shrink-0 items-center gap-3 border-b border-line px-4">
        <Search size={16} aria-hidden="true" className="text-faint" />
        <span className="sr-only">{placeholder}</span>
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={active && `${id}-${active.id}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          value={query}
          {...{ [KEYS_AHEAD_FIELD]: "" }}
          onKeyDown={onKeyDown}
          onFocus={() => {
            const ahead = props.takeKeysAhead?.() ?? "";
            if (ahead !== "") ask(query + ahead);
          }}
          onChange={(event) => ask(event.target.value)}
          className="h-full min-w-0 flex-1 bg-transparent text-md text-ink outline-none!"
        />
      </label>
      <CommandList
        id={id}
        found={found}
        active={active}
        run={run}
        choose={(item) => setChosen(found.indexOf(item))}
      />
      <FoundCount count={found.length} query={query} isSearching={isSearching} />
    </>
  );
}

function FoundCount(props: { count: number; query: string; isSearching: boolean | undefined }) {
  const { count, query, isSearching } = props;
  return (
    <p role="status" className={count === 0 ? "px-4 py-8 text-center text-muted" : "sr-only"}>
      {count > 0 ? `${count} found` : isSearching ? "Searching" : `No results for “${query}”.`}
    </p>
  );
}

/** Keeps the items of a group together, and orders groups by their best item. */
function inGroupOrder(items: readonly Command[]): Command[] {
  return [...Map.groupBy(items, (item) => item.group ?? "").values()].flat();
}

type CommandListProps = {
  id: string;
  found: readonly Command[];
  active: Command | undefined;
  run: (item: Command) => void;
  choose: (item: Command) => void;
};

function CommandList({ id, found, active, run, choose }: CommandListProps) {
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label="Results"
      className={cx("overflow-y-auto", found.length > 0 && "p-1.5")}
    >
      {[...Map.groupBy(found, (item) => item.group ?? "")].map(([group, items]) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place inside a listbox.
        <div key={group} role="group" aria-label={group || undefined}>
          {group && (
            <p aria-hidden="true" className="px-2.5 pt-2 pb-1 text-sm text-faint">
              {group}
            </p>
          )}
          {items.map((item) => (
            <CommandOption
              key={item.id}
              id={`${id}-${item.id}`}
              item={item}
              active={item === active}
              run={run}
              choose={choose}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

type CommandOptionProps = Pick<CommandListProps, "run" | "choose"> & {
  id: string;
  item: Command;
  active: boolean;
};

function CommandOption({ id, item, active, run, choose }: CommandOptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) element.current?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox keeps the focus and handles the keys.
    <div
      ref={element}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      onClick={() => run(item)}
      onPointerMove={() => choose(item)}
      className={cx(
        "flex h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 text-base text-ink [&_svg]:size-4 [&_svg]:text-faint",
        active && "bg-accent-soft [&_svg]:text-accent-ink",
      )}
    >
      {item.icon}
      <span className="min-w-0 flex-1 truncate">
        {item.label}
        {item.detail && <span className="ml-2 text-sm text-muted">{item.detail}</span>}
      </span>
      {item.shortcut && <Keys keys={item.shortcut} />}
    </div>
  );
}
