/** Every kind of fault the proof knows, in the order of a round. */
import { CARRIER_FAULTS } from './carrier-faults.ts'
import { DATABASE_FAULTS } from './database-faults.ts'
import type { Kind } from './kind.ts'
import { PROCESS_FAULTS } from './process-faults.ts'
import { WAY_FAULTS } from './way-faults.ts'

export const KINDS: readonly Kind[] = [
  ...DATABASE_FAULTS,
  ...WAY_FAULTS,
  ...PROCESS_FAULTS,
  ...CARRIER_FAULTS,
]
