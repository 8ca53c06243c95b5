/** A place for files outside the database. */
export type FileStore = {
  put(key: string, bytes: Buffer): Promise<void>
  /** `end` is the last byte, itself included. */
  get(key: string, start: number, end: number): Promise<Buffer>
  /** What is not there is removed already. */
  remove(key: string): Promise<void>
}
