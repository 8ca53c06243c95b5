/** Where statements of learning are sent: a learning record store (LRS) that speaks xAPI 1.0.3. */

export type RecordStore = {
  host: string
  /** What it holds already is not held twice. Answers how many it holds otherwise, and left as they were. */
  send(statements: readonly object[]): Promise<{ conflicts: number }>
}

export class RecordStoreError extends Error {
  readonly isPassing: boolean

  constructor(message: string, { isPassing, cause }: { isPassing: boolean; cause?: unknown }) {
    super(message, { cause })
    this.name = 'RecordStoreError'
    this.isPassing = isPassing
  }
}
