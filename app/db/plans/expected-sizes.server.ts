/** How large PostgreSQL estimates each tenant to be: tenants of one size share plans (decision 81). */
import type pg from 'pg'

/** PostgreSQL counts new rows within a minute. */
const FRESH_MS = 60_000
const MAX_TENANTS = 10_000

export class ExpectedSizes {
  readonly #sizes = new Map<string, { size: string | null; since: number }>()
  readonly #pool: Pick<pg.Pool, 'query'>

  constructor(pool: Pick<pg.Pool, 'query'>) {
    this.#pool = pool
  }

  /** Null until known; asks meanwhile, on another connection. */
  of(tenant: string): string | null {
    const known = this.#sizes.get(tenant)
    const size = known?.size ?? null
    if (!known || Date.now() - known.since >= FRESH_MS) {
      this.#note(tenant, size)
      void this.#ask(tenant)
    }
    return size
  }

  async #ask(tenant: string): Promise<void> {
    try {
      const { rows } = await this.#pool.query('select expected_sizes($1) as size', [tenant])
      this.#note(tenant, rows[0].size)
    } catch {
      // Asked again in a minute; until then the last answer stays.
    }
  }

  #note(tenant: string, size: string | null): void {
    if (this.#sizes.size >= MAX_TENANTS) this.#sizes.clear()
    this.#sizes.set(tenant, { size, since: Date.now() })
  }
}
