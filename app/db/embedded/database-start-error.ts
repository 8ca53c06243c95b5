/** Why the embedded database cannot start, as a sentence for the person who started us. */
export class DatabaseStartError extends Error {}
