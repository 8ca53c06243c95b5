/** The file store is away, full or refuses us; the request may be tried again. */
export class StoreError extends Error {
  readonly status = 503
  override readonly name = 'StoreError'
}
