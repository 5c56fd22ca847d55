import type { AskAdmin, AskOptions } from "./ask-admin.ts";

export type Asking = Omit<AskOptions, "post"> & {
  /** Sends requests; defaults to HTTP. */
  readonly ask?: AskAdmin | undefined;
};
