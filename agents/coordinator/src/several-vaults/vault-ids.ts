/** Ids of bodies and multipart uploads name the vault that holds them; those of the first vault are unchanged. */
import { newPieceId } from "../records/pieces.ts";

/** `4f0c...` for the first vault, `4f0c...-2` for the third. */
export function newIdIn(vault: number): string {
  return vault === 0 ? newPieceId() : `${newPieceId()}-${vault}`;
}

/** Returns the index of the vault; 0 if the text names none, and for ids that a client invented. */
export function vaultOfId(id: string): number {
  return Number(/^[0-9a-f]{32}-([1-9]\d?)$/.exec(id)?.[1] ?? 0);
}
