/**
 * One transaction for several scopes: before each statement the settings of its scope are applied, in whatever order
 * scopes are used.
 */
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

/**
 * `set_for`: the scope whose settings the connection has, null if unknown. `ahead_ms`: its clock. `clocks`: of each tenant
 * that was asked.
 */
type Shared = {
  whole: Transaction<DB>
  set_for: string | null
  ahead_ms: number
  clocks: Map<string, number>
  is_over: boolean
  /** Cached answers by scope; only in a read-only transaction. */
  answers?: Map<string, Answers>
}
type View = { shared: Shared; settings: Settings; stands_at: Date | undefined; ahead_ms: number }

const shares = new WeakMap<Transaction<DB>, Shared>()
const views = new WeakMap<Transaction<DB>, View>()

/** How far the clock is ahead, in milliseconds, or the moment that it is fixed at. */
export const clockOf = (db: Transaction<DB>): Pick<View, 'ahead_ms' | 'stands_at'> | undefined =>
  views.get(db)

/** A view of the transaction with these settings, which shares it with other views. */
export function openView(whole: Transaction<DB>, settings: Settings): Promise<Transaction<DB>> {
  const shared = views.get(whole)?.shared ??
    shares.get(whole) ?? { whole, set_for: null, ahead_ms: 0, clocks: new Map(), is_over: false }
  shares.set(shared.whole, shared)
  // The settings applied before may have had another clock.
  return viewOf({ shared, settings, stands_at: views.get(whole)?.stands_at, ahead_ms: 0 }, true)
}

/** Another view of the same transaction, with other settings or a fixed clock. */
export function viewFrom(db: Transaction<DB>, other: Partial<Pick<View, 'settings' | 'stands_at'>>) {
  const view = views.get(db)
  if (!view) throw new Error('Only a scope has settings.')
  return viewOf({ ...view, ...other })
}

/** Called before the commit: statements that are still pending would run without their settings. */
export function endViews(db: Transaction<DB>): void {
  const shared = views.get(db)?.shared
  if (shared) shared.is_over = true
}

/** Marks a transaction as read-only: answers in it are cached until its end. */
export function markReadOnly(db: Transaction<DB>): void {
  const shared = views.get(db)?.shared
  if (shared) shared.answers ??= new Map()
}

export const isReadOnly = (db: Transaction<DB>): boolean => views.get(db)?.shared.answers !== undefined

/** The cached answers of the same scope; undefined in a transaction that may change them. */
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
  const tenant = settings['app.tenant_id']
  const known = stands_at ? undefined : shared.clocks.get(tenant)

  async function prepare(connection: DatabaseConnection, isAnew = false): Promise<void> {
    if (isAnew || shared.set_for !== key) {
      shared.set_for = null
      const { rows } = await connection.executeQuery<{ ahead_ms: string }>(setting(settings, stands_at))
      shared.set_for = key
      shared.ahead_ms = Number(rows[0]?.ahead_ms ?? 0)
      if (!stands_at) shared.clocks.set(tenant, shared.ahead_ms)
    }
    view.ahead_ms = shared.ahead_ms
    if (shared.is_over) throw new Error('The transaction of this scope is over.')
  }

  // The connection is used by one statement at a time, so none of another scope comes between the settings and their
  // statement.
  const provideConnection: ConnectionProvider['provideConnection'] = (use, options) =>
    whole.provideConnection(async (connection) => {
      await prepare(connection)
      return use(connection)
    }, options)
  const executor = whole.withConnectionProvider({ provideConnection })
  const seen = new Transaction<DB>({ config: { dialect }, dialect, driver: new DummyDriver(), executor })
  views.set(seen, view)
  // Where the clock is known, the first statement of the scope applies its settings.
  if (isAnew || known === undefined)
    await whole.provideConnection((connection) => prepare(connection, isAnew))
  else view.ahead_ms = known
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

/** A dialect without a driver: the connection exists already. */
const dialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}
