/** A store for files outside the database. Keys are ids made by the domain, never input of a visitor. */
export type FileStore = {
  put(key: string, bytes: Buffer): Promise<void>
  /** `end` is inclusive. */
  get(key: string, start: number, end: number): Promise<Buffer>
  /** Idempotent: a missing file counts as removed. */
  remove(key: string): Promise<void>
  /** Removes unfinished writes begun before that moment, and complete files that `known` does not return. */
  sweep?(before: Date, known: (tenantId: string, fileIds: string[]) => Promise<Set<string>>): Promise<number>
}

export const storeKey = (tenantId: string, fileId: string): string => `${tenantId}/${fileId}`
