/** Sign-ins in progress on our own screens, stored with the attempt that began them. */
import type { Selectable } from 'kysely'
import type { SignInAttempts } from '#app/db/schema.ts'
import type { Entrance, State } from '#app/domain/authenticator/state.ts'
import { SOCIAL_PROVIDERS } from '#app/domain/pools/settings.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'
import { readCookies, STATE_COOKIE } from '../cookies.server.ts'
import type { Asked } from '../pools/pool-strategy.server.ts'
import { findPool, type Pool } from '../pools/pools.server.ts'
import { seal, unseal } from '../seal.server.ts'
import type { CognitoClient } from './client.server.ts'
import { Progress } from './progress.ts'

type Row = Selectable<SignInAttempts>
export type OnScreens = { row: Row; pool: Pool; rules: Pool['settings']; progress: Progress }
export type UnderWay = { database: Database; require(): Promise<OnScreens & { client: CognitoClient }> }

export const isOnScreens = ({ kind, login_mode }: Pool): boolean =>
  kind === 'cognito' && login_mode === 'screens'

/** The screens' entrance, which redirects to the screen that is due. */
export const FIRST_SCREEN = '/login/signIn'

/** The extra columns of an attempt on our own screens. */
export const screensOf = (state: string, { login_hint, screen_hint }: Omit<Asked, 'nonce'>) => ({
  login_hint: login_hint ?? null,
  entrance: screen_hint ?? null,
  progress_sealed: sealProgress(state, {}),
})

/** Cognito's name for the social provider, if the pool has a button for it. */
export function socialProvider({ settings }: Pool, wanted: string | undefined): string | undefined {
  const name = settings.social_providers.find((one) => one === wanted)
  return name && SOCIAL_PROVIDERS[name]
}

const sealProgress = (state: string, progress: Progress): string =>
  seal(JSON.stringify(progress), `attempt:${state}`)

/** Null when the progress was sealed for another attempt, or under another secret. */
export function unsealProgress({ state, progress_sealed }: Row): Progress | null {
  if (progress_sealed === null) return null
  try {
    return Progress.parse(JSON.parse(unseal(progress_sealed, `attempt:${state}`)))
  } catch {
    return null
  }
}

/** This browser's latest sign-in, if it is on our screens at a pool elsewhere. */
export async function findOnScreens(request: Request, database: Database): Promise<OnScreens | null> {
  const states = statesOf(request)
  if (states.length === 0) return null
  const row = await database
    .selectFrom('sign_in_attempts')
    .selectAll()
    .where('state', 'in', states)
    .where('expires_at', '>', new Date())
    .orderBy('created_on', 'desc')
    .limit(1)
    .executeTakeFirst()
  const progress = row && unsealProgress(row)
  const pool = progress && (await findPool(database, row.pool_id))
  if (!pool || !isOnScreens(pool)) return null
  return { row, pool, progress, rules: pool.settings }
}

/** What the person had asked for before they pressed a social button on our screens. */
export async function wishOfScreens(request: Request, { id }: Pool, database: Database) {
  const found = await findOnScreens(request, database)
  if (found?.pool.id !== id) return {}
  const { redirect_to, remember } = found.row
  return { redirect: redirect_to, remember }
}

export async function keepProgress(database: Database, { row }: OnScreens, progress: Progress) {
  await database
    .updateTable('sign_in_attempts')
    .set({ progress_sealed: sealProgress(row.state, progress) })
    .where('state', '=', row.state)
    .execute()
}

export async function keepScreen(
  database: Database,
  { row }: OnScreens,
  screen: State | null,
): Promise<void> {
  await database
    .updateTable('sign_in_attempts')
    .set({ screen: screen && JSON.stringify(screen) })
    .where('state', '=', row.state)
    .execute()
}

/** Where nobody can sign up, the sign-up screen is never the first. */
export function entranceOf({ row, rules: { initial_screen, sign_up } }: OnScreens): Entrance {
  const wanted = (row.entrance as Entrance | null) ?? initial_screen
  return wanted === 'signUp' && sign_up === null ? 'signIn' : wanted
}

/** The library's cookie contains `state=…`. */
export function statesOf(request: Request): string[] {
  return readCookies(request)
    .filter(([name]) => name.startsWith(`${STATE_COOKIE}:`))
    .flatMap(([, value]) => /\bstate(?:=|%3D)([\w-]{20,100})/i.exec(value)?.[1] ?? [])
}
