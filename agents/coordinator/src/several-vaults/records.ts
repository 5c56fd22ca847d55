/** The internal bucket with the book of epochs, and with the name of the first vault in all others. */
export const EPOCHS = ".epochs";
export const BOOK = "book";
export const FIRST = "first";
