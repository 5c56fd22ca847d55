/** Limits of a password, apart from the schemas so that a form can show them without loading a validator. */
export const passwordLengthMin = 12;
export const passwordLengthMax = 256;
