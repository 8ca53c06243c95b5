/** A kind of fault: it happens, lasts, and is over when `happen` resolves. */
import type { Carriers } from './carriers.ts'
import type { Database } from './database.ts'
import type { Findings } from './findings.ts'
import type { Author } from './journeys.ts'
import type { Cast } from './load.ts'
import type { Product } from './product.ts'
import type { Excuse, Witness } from './witness.ts'

export type Setting = {
  product: Product
  database: Database
  carriers: Carriers
  witness: Witness
  findings: Findings
  author: Pick<Author, 'write' | 'launch'>
  cast: Cast
}

export type Kind = {
  name: string
  /** Which broken connections it explains. */
  excuse?: Excuse
  /** Why it is impossible here, or null. */
  whyNot?(setting: Setting): string | null
  happen(setting: Setting, round: number): Promise<void>
}
