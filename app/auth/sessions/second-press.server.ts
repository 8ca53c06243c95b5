/**
 * After a double press the browser shows the second answer, and has lost the cookie or address of the first. The way on is
 * stored with the ended session, so that any process can give it again.
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database, Scope } from '#app/domain/scope/scope.server.ts'
import { seal, unseal } from '../seal.server.ts'
import { hashOf, type Session } from './session-store.server.ts'

const AGAIN_MS = 10_000

/** `value`: the next session cookie. `location`: where a person goes who has logged out. */
const WayOn = z.union([z.strictObject({ value: z.string() }), z.strictObject({ location: z.string() })])
type WayOn = z.infer<typeof WayOn>

/** Call in the transaction that ends this id. */
export async function leadOn({ db }: Scope, { id_hash, principal }: Session, way: WayOn): Promise<void> {
  await db
    .insertInto('ended_sessions')
    .values({
      tenant_id: principal.tenant_id,
      user_id: principal.user_id,
      id_hash,
      leads_on_sealed: seal(JSON.stringify(way), contextOf(id_hash)),
      expires_at: new Date(Date.now() + AGAIN_MS),
    })
    .execute()
}

export async function findWayOn(database: Database, value: string): Promise<WayOn | null> {
  const id_hash = hashOf(value)
  const { rows } = await sql<{ sealed: string | null }>`
    select leads_on_of_session(${id_hash}) as sealed`.execute(database)
  const sealed = rows[0]?.sealed
  return sealed ? openWay(sealed, id_hash) : null
}

/** Null when it was sealed under another secret. */
function openWay(sealed: string, id_hash: Buffer): WayOn | null {
  try {
    return WayOn.parse(JSON.parse(unseal(sealed, contextOf(id_hash))))
  } catch {
    return null
  }
}

const contextOf = (id_hash: Buffer): string => `second press:${id_hash.toString('hex')}`
