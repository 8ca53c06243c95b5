/** The place of files is away, full or does not take us; whoever asked may try again. */
export class StoreError extends Error {
  readonly status = 503
  override readonly name = 'StoreError'
}
