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

/**
 * A view of the transaction with these settings, which shares it with other views. `before`: those of the first
 * statements, with which the clock of both is asked.
 */
export async function openView(whole: Transaction<DB>, settings: Settings, before = settings) {
  const shared = views.get(whole)?.shared ??
    shares.get(whole) ?? { whole, set_for: null, ahead_ms: 0, clocks: new Map(), is_over: false }
  shares.set(shared.whole, shared)
  // The settings applied before may have had another clock.
  const stands_at = views.get(whole)?.stands_at
  const first = await viewOf({ shared, settings: before, stands_at, ahead_ms: 0 }, settings)
  return before === settings ? first : viewFrom(first, { settings })
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

/** `anew`: the transaction begins with this view; the next one has these settings. */
async function viewOf(view: View, anew?: Settings): Promise<Transaction<DB>> {
  const { shared, settings, stands_at } = view
  const whole = shared.whole.getExecutor()
  const key = keyOf(view)
  const tenant = settings['app.tenant_id']
  const known = stands_at ? undefined : shared.clocks.get(tenant)

  async function apply(connection: DatabaseConnection, next: string | null): Promise<void> {
    shared.set_for = null
    const { rows } = await connection.executeQuery<Clocks>(setting(settings, stands_at, next))
    const { ahead_ms = 0, next_ahead_ms = 0 } = rows[0] ?? {}
    shared.set_for = key
    shared.ahead_ms = Number(ahead_ms)
    if (!stands_at) shared.clocks.set(tenant, shared.ahead_ms)
    if (next) shared.clocks.set(next, Number(next_ahead_ms))
  }

  async function prepare(connection: DatabaseConnection, anew?: Settings): Promise<void> {
    const next = anew && anew !== settings ? anew['app.tenant_id'] : null
    if (anew || shared.set_for !== key) await apply(connection, next)
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
  if (anew || known === undefined) await whole.provideConnection((connection) => prepare(connection, anew))
  else view.ahead_ms = known
  return seen
}

const VALUES = SETTINGS.map((name, nth) => `set_config('${name}', $${nth + 1}, true)`).join(', ')
const TENANTS_CLOCK = `clock_ahead_ms(nullif($1, '')::uuid)::text`
const STANDING = '(extract(epoch from $6::timestamptz - now()) * 1000)::text'
const withClock = (ahead: string) =>
  `select ${VALUES}, set_config('app.clock_ahead_ms', ${ahead}, true) as ahead_ms`

type Clocks = { ahead_ms: string; next_ahead_ms?: string }

function setting(settings: Settings, stands_at?: Date, next: string | null = null): CompiledQuery<Clocks> {
  const values = SETTINGS.map((name) => settings[name])
  if (next)
    return CompiledQuery.raw(`${withClock(TENANTS_CLOCK)}, clock_ahead_ms($6) as next_ahead_ms`, [
      ...values,
      next,
    ])
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
