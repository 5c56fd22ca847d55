import { mutantsIn } from "./mutant.ts";

/** Effects that the shell omits or carries out in another order, and answers that it passes on wrongly. */
export const shellMutants = mutantsIn("shell", [
  {
    name: "shell-drops-send",
    find: "surroundings.send(to, message),",
    replace: "void [to, message],",
    breaks: "a message that a machine sends leaves its node",
  },
  {
    name: "shell-drops-set-timer",
    find: "this.#setTimer(key, delayMs),",
    replace: "void [key, delayMs],",
    breaks: "a timer comes back as an event",
  },
  {
    name: "shell-drops-halt",
    find: "halt(effect.reason);",
    replace: "",
    breaks: "a machine that halts starts again by recovery",
  },
  {
    name: "shell-drops-append",
    find: "log.append(effect.shard, effect.room);",
    replace: "",
    breaks: "a shard reaches the log",
  },
  {
    name: "shell-appends-all-as-data",
    find: "log.append(effect.shard, effect.room);",
    replace: 'log.append(effect.shard, "data");',
    breaks: "a record may use the space reserved for its class",
  },
  {
    name: "shell-drops-kill",
    find: "log.kill(effect.position);",
    replace: "",
    breaks: "a record that a machine drops is dead in its log",
  },
  {
    name: "shell-drops-load",
    find: "log.load(effect.loadId, effect.position);",
    replace: "",
    breaks: "a requested shard is read",
  },
  {
    name: "shell-drops-flush",
    find: "log.flush();",
    replace: "",
    breaks: "the shards that a pod has written become durable",
  },
  {
    name: "shell-drops-remember",
    find: "log.remember(effect.position, effect.outcome);",
    replace: "",
    breaks: "the next boot of a pod knows how uploads ended",
  },
  {
    name: "shell-remembers-all-as-complete",
    find: "log.remember(effect.position, effect.outcome);",
    replace: 'log.remember(effect.position, "complete");',
    breaks: "the next boot of a pod receives only true outcomes",
  },
  {
    name: "shell-drops-persist-refusal",
    find: "log.persistRefusal(effect.refusal);",
    replace: "",
    breaks: "a pod's promise becomes durable",
  },
  {
    name: "shell-drops-forget-refusal",
    find: "log.forgetRefusal(effect.uploadId);",
    replace: "",
    breaks: "a void promise leaves the log",
  },
  {
    name: "shell-drops-persist-horizon",
    find: "log.persistHorizon(effect.horizon);",
    replace: "",
    breaks: "a pod's horizon becomes durable",
  },
  {
    name: "shell-drops-answer-put",
    find: "clients.put(effect.token, effect.outcome);",
    replace: "",
    breaks: "a client learns how its upload ended",
  },
  {
    name: "shell-drops-answer-get",
    find: "clients.get(effect.token, effect.outcome);",
    replace: "",
    breaks: "a client learns what its key holds",
  },
  {
    name: "shell-drops-answer-list",
    find: "clients.list(effect.token, effect.outcome);",
    replace: "",
    breaks: "a client receives the list of keys",
  },
  {
    name: "shell-drops-reconstruct",
    find: "reconstruct(effect.uploadId, effect.shards, effect.missing);",
    replace: "",
    breaks: "shards that are missing are rebuilt",
  },
  {
    name: "shell-reverses-effects",
    find: "for (const effect of step(event, surroundings.nowMs())) {",
    replace: "for (const effect of [...step(event, surroundings.nowMs())].reverse()) {",
    breaks: "effects are carried out in the order in which the machine returned them",
  },
  {
    name: "failed-flush-told-as-flushed",
    find: 'flushFailed: () => take({ type: "flushFailed" }),',
    replace: 'flushFailed: () => take({ type: "flushed" }),',
    breaks: "a pod is notified that its sync failed",
  },
  {
    name: "corrupt-record-not-told",
    find: 'corrupt: (uploadId, shardIndex) => take({ type: "corrupt", uploadId, shardIndex }),',
    replace: "corrupt: () => {},",
    breaks: "a machine learns which of its records are corrupt",
  },
]);
