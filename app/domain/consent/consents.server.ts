/** Reads and records consent by phone number. */
import { sql } from 'kysely'
import { takeTurns } from '../scope/advisory-lock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { type ConsentAction, foldConsent, type NumberState } from './consent.ts'

export type ConsentEvent = {
  number: string
  user_id: number | null
  action: ConsentAction
  /** The source: `profile`, `sms`, `admin`, `import`, `carrier`. */
  source: string
  /** The wording that the person agreed to. */
  wording_id?: string | null
}

/**
 * Serializes the changes of consent for one number. Take this lock before reading the state in order to change it,
 * and before locking any person's row.
 */
export const takeTurnsAbout = (scope: Scope, number: string | null): Promise<void> =>
  takeTurns(scope, ...(number === null ? [] : [`consent about ${number}`]))

/** Records the event and updates the person's flag. Only the person opts in: callers must ensure that. */
export async function recordConsent(scope: Scope, event: ConsentEvent): Promise<void> {
  await takeTurnsAbout(scope, event.number)
  await scope.db
    .insertInto('consent_events')
    // The time at which the lock was held, not at which the transaction began: the later event counts.
    .values({ ...event, tenant_id: scope.actor.tenant_id, at: sql`clock_timestamp()` })
    .execute()
  const state = (await numberStates(scope, [event.number])).get(event.number)
  await scope.db
    .updateTable('users')
    .set({ sms_opt_in: state === 'opted_in' })
    .where('mobile_phone', '=', event.number)
    .execute()
}

/** The state of each number; `unknown` without events. */
export async function numberStates(
  { db }: Pick<Scope, 'db'>,
  numbers: readonly string[],
): Promise<Map<string, NumberState>> {
  const said = new Map<string, ConsentAction[]>(numbers.map((number) => [number, []]))
  if (numbers.length > 0) {
    const { rows } = await sql<{ number: string; action: ConsentAction }>`
      select number, action from consent_events where number = any(${numbers}::text[]) order by at, id`.execute(
      db,
    )
    for (const { number, action } of rows) said.get(number)?.push(action)
  }
  return new Map([...said].map(([number, actions]) => [number, foldConsent(actions)]))
}
