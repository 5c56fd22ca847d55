/** Begins a sentence with a clause that other sentences contain. */
export const capitalised = (clause: string): string => clause.charAt(0).toUpperCase() + clause.slice(1);
