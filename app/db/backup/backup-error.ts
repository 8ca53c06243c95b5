import { DatabaseStartError } from '../embedded/database-start-error.ts'

export class BackupError extends DatabaseStartError {}
