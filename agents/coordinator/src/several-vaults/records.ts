/** Internal bucket: the first vault has the ledger of epochs in it, and each other vault the name of the first. */
export const EPOCHS = ".epochs";
export const BOOK = "book";
export const FIRST = "first";
