type Own = {
  [Name in
    | 'APP_SECRET'
    | `DATABASE_${'' | 'WORKER_' | 'WORKER_DIRECT_' | 'IDENTITY_' | 'OWNER_' | 'READ_'}URL`]?:
    | string
    | undefined
} & { PORT: number; WEB_CONCURRENCY: number; ROLE: 'all' | 'web' | 'worker' }
export function databaseProblems(env: Own): [string, string][] {
  const problems: [string, string][] = []
  if (env.PORT === 0 && env.WEB_CONCURRENCY > 1)
    problems.push(['PORT', 'must be a port when several processes listen at it'])
  if (!env.DATABASE_URL) {
    if (env.DATABASE_READ_URL)
      problems.push(['DATABASE_READ_URL', 'is the replica of DATABASE_URL, which is not set'])
    return problems
  }
  for (const name of ['APP_SECRET', 'DATABASE_WORKER_URL', 'DATABASE_IDENTITY_URL'] as const)
    if (!env[name]) problems.push([name, 'is needed when DATABASE_URL is set'])
  return [...problems, ...poolerProblems(env)]
}

function poolerProblems(env: Own): [string, string][] {
  const leadsToPooler = (url: string | undefined) => url !== undefined && /[?&]pgbouncer=true(&|$)/.test(url)
  const problems: [string, string][] = []
  if (env.ROLE !== 'web' && leadsToPooler(env.DATABASE_WORKER_URL) && !env.DATABASE_WORKER_DIRECT_URL)
    problems.push([
      'DATABASE_WORKER_DIRECT_URL',
      'is needed for the queue when DATABASE_WORKER_URL leads to a pooler',
    ])
  for (const name of ['DATABASE_WORKER_DIRECT_URL', 'DATABASE_OWNER_URL'] as const)
    if (leadsToPooler(env[name])) problems.push([name, 'must lead to PostgreSQL itself, not to a pooler'])
  return problems
}
