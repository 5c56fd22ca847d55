/** Capitalises a clause that other sentences contain, so that it can begin a sentence. */
export const capitalised = (clause: string): string => clause.charAt(0).toUpperCase() + clause.slice(1);
