/**
 * Checks a password: it must be long (the contracts' schema has the length) and not in the lists that attackers try
 * first, here @zxcvbn-ts/language-common's 49,000 most used passwords. Nothing is looked up online.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import { present } from "../present.ts";

const distinctCharactersMin = 5;

/** Throws `invalid_input` on the field `password`, with the reason, if the password would be guessed early. */
export async function assertPasswordHardToGuess(password: string, email: string): Promise<void> {
  const reason = await guessableReason(password, email);
  if (reason !== null) {
    throw new StashlightError("invalid_input", `${reason} Choose another; four unrelated words work well.`, {
      field: "password",
    });
  }
}

async function guessableReason(password: string, email: string): Promise<string | null> {
  const text = password.toLowerCase();
  if (new Set(text).size < distinctCharactersMin) {
    return `The password uses fewer than ${distinctCharactersMin} different characters.`;
  }
  if (isRepetition(text)) return "The password repeats one short piece.";
  const mailbox = email.toLowerCase().split("@")[0] ?? "";
  if (mailbox.length >= 4 && text.includes(mailbox) && text.length - mailbox.length < 8) {
    return "The password is little more than your e-mail address.";
  }
  const breached = await breachedPasswords();
  if (candidates(text).some((candidate) => breached.has(candidate))) {
    return "The password is on the list of most used passwords, which attackers try first.";
  }
  return null;
}

/**
 * Returns the password itself, its core without surrounding digits and signs, and that core with letters for look-alike
 * digits; drops cores shorter than half of the password.
 */
function candidates(text: string): string[] {
  const heart = text.replace(/^[\d\W_]+|[\d\W_]+$/g, "");
  const plain = heart
    .replaceAll("0", "o")
    .replaceAll("1", "i")
    .replaceAll("3", "e")
    .replaceAll("@", "a")
    .replaceAll("$", "s");
  return [text, heart, plain].filter((candidate) => candidate.length >= text.length / 2);
}

/** True if the text repeats one piece of at most a third of its length: abcabcabcabc. */
function isRepetition(text: string): boolean {
  for (let length = 1; length <= text.length / 3; length++) {
    const piece = text.slice(0, length);
    if (piece.repeat(Math.ceil(text.length / length)).slice(0, text.length) === text) return true;
  }
  return false;
}

let breachedList: Promise<ReadonlySet<string>> | undefined;

/** Loaded when the first password is set: half a megabyte that a running console does not otherwise need. */
function breachedPasswords(): Promise<ReadonlySet<string>> {
  breachedList ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(present(dictionary["passwords-common"])),
  );
  return breachedList;
}
