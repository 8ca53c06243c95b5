/** A place for files outside the database. */
export type FileStore = {
  put(key: string, bytes: Buffer): Promise<void>
  /** `end` is the last byte, itself included. */
  get(key: string, start: number, end: number): Promise<Buffer>
  /** What is not there is removed already. */
  remove(key: string): Promise<void>
  /**
   * Takes away what a crash left: what was begun before that moment and not finished, and what stands there whole
   * but is not among those that `known` keeps. A bucket looks after the unfinished itself.
   */
  sweep?(before: Date, known: (tenantId: string, fileIds: string[]) => Promise<Set<string>>): Promise<number>
}
