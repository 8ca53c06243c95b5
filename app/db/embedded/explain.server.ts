/** Turns what the system said when the database did not start into a sentence for the person who started it. */
import { statfsSync } from 'node:fs'
import { DatabaseStartError } from './database-start-error.ts'

type Failure = NodeJS.ErrnoException & { stderr?: string }

export async function explained<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof DatabaseStartError ? error : explain(dataDir, error as Failure)
  }
}

export function explain(dataDir: string, failure: Failure): DatabaseStartError {
  const said = `${failure.code ?? ''}\n${failure.stderr || failure.message}`
  return new DatabaseStartError(sentence(dataDir, said, failure), { cause: failure })
}

function sentence(dataDir: string, said: string, { path, stderr, message }: Failure): string {
  if (
    /ENOSPC|No space left on device|EDQUOT|quota exceeded|could not extend file|wrote only \d+ of \d+ bytes/i.test(
      said,
    )
  ) {
    return full(dataDir)
  }
  if (/EROFS|Read-only file system|ENOENT.*mkdir/i.test(said)) {
    return `The data folder ${dataDir} is on a disk that cannot be written to: set DATA_DIR to another folder.`
  }
  if (/EACCES|EPERM|Permission denied|Operation not permitted|wrong ownership/i.test(said)) {
    return `Liftwell may not write to its data folder ${dataDir}: give it to the user that starts Liftwell, or set DATA_DIR to another folder.`
  }
  if (/ENOTDIR|EEXIST/.test(said)) return `DATA_DIR has to be a folder, and ${path ?? dataDir} is none.`
  // A server without room for its WAL ends, and the only symptom is a lost connection.
  if (hasNoRoom(dataDir)) return full(dataDir)
  return `The database in ${dataDir} did not start: ${lastWords(stderr || message)}`
}

const full = (dataDir: string) =>
  `The disk is full: free some space for the database in ${dataDir} (a new one takes about 100 MB).`

/** The size of two WAL segments. */
const LEAST_BYTES = 32 * 1024 * 1024

function hasNoRoom(dataDir: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dataDir)
    return bavail * bsize < LEAST_BYTES
  } catch {
    return false
  }
}

function lastWords(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const complaints = lines.filter((line) => /\b(FATAL|PANIC|error):/.test(line))
  return (complaints.length > 0 ? complaints : lines).slice(-2).join(' ').trim()
}
