import { DatabaseStartError } from '../embedded/database-start-error.ts'

/** Why a backup or a restore was refused, in words for the person at the terminal. */
export class BackupError extends DatabaseStartError {}
