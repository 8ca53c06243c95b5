export class DatabaseStartError extends Error {}
