/** Whether the URL leads to a transaction pooler (marked as other tools do): nothing of a session lasts there. */
export const isPooled = (url: string): boolean => new URL(url).searchParams.get('pgbouncer') === 'true'

/** Whether sessions there plan each statement once for all values, as the small databases of tests do. */
export const saysToKeepPlans = (url: string): boolean =>
  new URL(url).searchParams.get('options')?.includes('plan_cache_mode=force_generic_plan') ?? false

type Target = { user?: string; password?: string; database?: string }

export function withTarget(url: string, target: Target): string {
  const changed = new URL(url)
  if (target.user !== undefined) changed.username = encodeURIComponent(target.user)
  if (target.password !== undefined) changed.password = encodeURIComponent(target.password)
  if (target.database !== undefined) changed.pathname = `/${encodeURIComponent(target.database)}`
  return changed.href
}
