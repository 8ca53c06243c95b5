/** A store for files outside the database. */
export type FileStore = {
  /** Fails when the store takes nothing; leaves nothing in it. */
  tryOut?(): Promise<void>
  put(key: string, bytes: Buffer): Promise<void>
  /** `end` is the last byte, inclusive. */
  get(key: string, start: number, end: number): Promise<Buffer>
  /** Removing a file that is not there succeeds. */
  remove(key: string): Promise<void>
  /** Removes drafts not finished by that moment, and older whole files that `known` does not return. */
  sweep?(before: Date, known: (tenantId: string, fileIds: string[]) => Promise<Set<string>>): Promise<number>
}
