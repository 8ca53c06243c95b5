/** One transaction for several scopes: each statement runs with the settings of the scope that asks it, in whatever order they ask. */
import {
  CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  Transaction,
} from 'kysely'
import type { DB } from '#app/db/schema.ts'

export const SETTINGS = [
  'app.tenant_id',
  'app.sub_tenant_id',
  'app.user_id',
  'app.operator',
  'app.participant',
] as const
export type Settings = Readonly<Record<(typeof SETTINGS)[number], string>>

type Answers = Map<string, Promise<unknown>>

/** `set_for`: for whom the connection is set; null where nobody knows. `ahead_ms`: the clock as it was set. */
type Shared = {
  whole: Transaction<DB>
  set_for: string | null
  ahead_ms: number
  is_over: boolean
  /** Of each scope in it; only where nothing is written. */
  answers?: Map<string, Answers>
}
type View = { shared: Shared; settings: Settings; stands_at: Date | undefined; ahead_ms: number }

const shares = new WeakMap<Transaction<DB>, Shared>()
const views = new WeakMap<Transaction<DB>, View>()

/** In milliseconds; or where it stands. */
export const clockOf = (db: Transaction<DB>): Pick<View, 'ahead_ms' | 'stands_at'> | undefined =>
  views.get(db)

/** The transaction as one with these settings sees it, among others who share it. */
export function openView(whole: Transaction<DB>, settings: Settings): Promise<Transaction<DB>> {
  const shared = views.get(whole)?.shared ??
    shares.get(whole) ?? { whole, set_for: null, ahead_ms: 0, is_over: false }
  shares.set(shared.whole, shared)
  // What was set before may be of another clock.
  return viewOf({ shared, settings, stands_at: views.get(whole)?.stands_at, ahead_ms: 0 }, true)
}

/** The same transaction with other settings, or at a moment at which the clock stands. */
export function viewFrom(db: Transaction<DB>, other: Partial<Pick<View, 'settings' | 'stands_at'>>) {
  const view = views.get(db)
  if (!view) throw new Error('Only a scope has settings.')
  return viewOf({ ...view, ...other })
}

/** Before it is committed: what is still asked, or waits for its settings, would be answered without them. */
export function endViews(db: Transaction<DB>): void {
  const shared = views.get(db)?.shared
  if (shared) shared.is_over = true
}

/** Of a transaction that is read-only: what it has been answered is kept until its end. */
export function markReadOnly(db: Transaction<DB>): void {
  const shared = views.get(db)?.shared
  if (shared) shared.answers ??= new Map()
}

export const isReadOnly = (db: Transaction<DB>): boolean => views.get(db)?.shared.answers !== undefined

/** What was asked in the same scope of the same transaction; undefined where it may have changed since. */
export function answersOf(db: Transaction<DB>): Answers | undefined {
  const view = views.get(db)
  if (!view?.shared.answers) return
  const key = keyOf(view)
  const answers = view.shared.answers.get(key) ?? new Map()
  view.shared.answers.set(key, answers)
  return answers
}

const keyOf = ({ settings, stands_at }: View) => JSON.stringify([settings, stands_at])

async function viewOf(view: View, isAnew = false): Promise<Transaction<DB>> {
  const { shared, settings, stands_at } = view
  const whole = shared.whole.getExecutor()
  const key = keyOf(view)

  async function prepare(connection: DatabaseConnection, isAnew = false): Promise<void> {
    if (isAnew || shared.set_for !== key) {
      shared.set_for = null
      const { rows } = await connection.executeQuery<{ ahead_ms: string }>(setting(settings, stands_at))
      shared.set_for = key
      shared.ahead_ms = Number(rows[0]?.ahead_ms ?? 0)
    }
    view.ahead_ms = shared.ahead_ms
    if (shared.is_over) throw new Error('The transaction of this scope is over.')
  }

  // One at a time: nothing of another scope comes between the settings and what is asked with them.
  const provideConnection: ConnectionProvider['provideConnection'] = (use, options) =>
    whole.provideConnection(async (connection) => {
      await prepare(connection)
      return use(connection)
    }, options)
  const executor = whole.withConnectionProvider({ provideConnection })
  const seen = new Transaction<DB>({ config: { dialect }, dialect, driver: new DummyDriver(), executor })
  views.set(seen, view)
  await whole.provideConnection((connection) => prepare(connection, isAnew))
  return seen
}

const VALUES = SETTINGS.map((name, nth) => `set_config('${name}', $${nth + 1}, true)`).join(', ')
const TENANTS_CLOCK = `clock_ahead_ms(nullif($1, '')::uuid)::text`
const STANDING = '(extract(epoch from $6::timestamptz - now()) * 1000)::text'
const withClock = (ahead: string) =>
  `select ${VALUES}, set_config('app.clock_ahead_ms', ${ahead}, true) as ahead_ms`

function setting(settings: Settings, stands_at?: Date): CompiledQuery<{ ahead_ms: string }> {
  const values = SETTINGS.map((name) => settings[name])
  return stands_at
    ? CompiledQuery.raw(withClock(STANDING), [...values, stands_at])
    : CompiledQuery.raw(withClock(TENANTS_CLOCK), values)
}

/** Of the connection that is there already. */
const dialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}
