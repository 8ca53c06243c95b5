/** A place for files outside the database. */
export type FileStore = {
  /** Fails where it takes nothing; leaves nothing in it. */
  tryOut?(): Promise<void>
  put(key: string, bytes: Buffer): Promise<void>
  /** `end` is the last byte, itself included. */
  get(key: string, start: number, end: number): Promise<Buffer>
  /** What is not there is removed already. */
  remove(key: string): Promise<void>
  /** Removes what was begun before that moment and not finished, and whole files that `known` does not keep. */
  sweep?(before: Date, known: (tenantId: string, fileIds: string[]) => Promise<Set<string>>): Promise<number>
}
