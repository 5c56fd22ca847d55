import { buttonClass } from "@stashlight/ui/form";
import { ChevronDown, Server } from "lucide-react";
import { useScope } from "../../../client/metrics/use-scope.ts";

/** Content of the button that opens the scope menu. */
export function ScopeFace({ words }: { words: string }) {
  return (
    <>
      <Server aria-hidden="true" className="text-faint" />
      <span title={words} className="max-w-48 truncate">
        {words}
      </span>
      <ChevronDown aria-hidden="true" className="size-3.5! text-faint" />
    </>
  );
}

/** Reserves the place of the button until its menu loads; on a phone the button has a line to itself. */
export function ScopePlace() {
  const { words } = useScope();
  return (
    <span aria-hidden="true" className={buttonClass("secondary")}>
      <ScopeFace words={words} />
    </span>
  );
}
