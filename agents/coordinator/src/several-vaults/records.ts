/** Internal bucket with the ledger of epochs, and in all other vaults with the name of the first. */
export const EPOCHS = ".epochs";
export const BOOK = "book";
export const FIRST = "first";
