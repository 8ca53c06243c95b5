/** Where learning statements go: a learning record store (LRS) that speaks xAPI 1.0.3. */

export type RecordStore = {
  host: string
  /** Sending a statement again stores it once. Counts statements it holds in another version, which stay as they were. */
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
