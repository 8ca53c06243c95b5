/** The rooms, and which may import which (see the map in README.md). */
const room = (name) => `^app/${name}/`
const TESTS = '\\.test\\.tsx?$'
const never = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to })

/** The floors of the domain, bottom first: each may import those below it. */
const FLOORS = [
  '(access|scope|text|hours|workbook|tables|statistics)/|[^/]+\\.ts$',
  'tenants|users|files|audit|mail-stops|sign-in-links|api-keys|notifications|pools|consent|authenticator|outbox',
  'journeys|lifts|objectives|occurrences',
  'planning',
  'sending|participants|assessments|responses|sponsors',
  'running|unknown-messages|account|text-answers',
  'analytics',
  'exports|statements',
  'privacy|previews|summaries|testing|today',
]
const folders = (floors) => floors.map((floor) => `^app/domain/(${floor})`)

module.exports = {
  forbidden: [
    ...FLOORS.map((floor, index) =>
      never(
        `floor-${index}`,
        { path: folders([floor]), pathNot: TESTS },
        { path: '^app/domain/', pathNot: folders(FLOORS.slice(0, index + 1)) },
        'A floor of the domain knows only those below it, and its own.',
      ),
    ),
    {
      ...never('no-folder-circles', { path: '^app/domain' }, { circular: true }, 'Nouns form no ring.'),
      scope: 'folder',
    },
    never('no-circles', {}, { circular: true }, 'Modules do not import one another in a circle.'),
    never(
      'routes',
      { path: room('routes') },
      {
        path: '^app/',
        pathNot: [
          '^app/(routes|ui|auth)/',
          '^app/api/((client|refuse|instance|not-offered)\\.server|contract/[\\w/-]+)\\.ts$',
          '^app/domain/(?!.*\\.server\\.)',
          '^app/config\\.server\\.ts$',
        ],
      },
      'A screen reaches data only through the API its guard gives it.',
    ),
    never(
      'ui',
      { path: room('ui') },
      { path: '^app/', pathNot: ['^app/ui/', '^app/domain/(?!.*\\.server\\.)'] },
      'Components know no data.',
    ),
    never(
      'api',
      { path: room('api') },
      {
        path: '^app/',
        pathNot: '^app/(api|auth|elsewhere|domain|db|integrations)/|^app/config\\.server\\.ts$',
      },
      'API: auth, domain, db, integrations.',
    ),
    never(
      'contract',
      { path: '^app/api/contract/' },
      { path: '^app/', pathNot: ['^app/api/contract/', '^app/domain/(?!.*\\.server\\.)'] },
      'What a call says of itself is safe for the browser.',
    ),
    never(
      'jobs',
      { path: room('jobs') },
      { path: '^app/', pathNot: '^app/(jobs|domain|db|integrations)/|^app/config\\.server\\.ts$' },
      'Jobs: domain, db, integrations.',
    ),
    never(
      'auth',
      { path: room('auth') },
      { path: '^app/', pathNot: '^app/(auth|elsewhere|domain|db)/|^app/config\\.server\\.ts$' },
      'Auth: domain, db.',
    ),
    never(
      'elsewhere',
      { path: room('elsewhere'), pathNot: TESTS },
      {
        path: '^app/',
        pathNot: [
          '^app/(elsewhere|integrations)/',
          '^app/domain/(?!.*\\.server\\.)',
          '^app/config\\.server\\.ts$',
        ],
      },
      'Another server: what screens know of things, and integrations.',
    ),
    never(
      'domain',
      { path: room('domain'), pathNot: TESTS },
      { path: '^app/', pathNot: '^app/(domain|db)/' },
      'The domain: db only.',
    ),
    never(
      'domain-is-plain',
      { path: room('domain') },
      { path: 'node_modules/(react|react-dom|@remix-run|hono|@hono|@radix-ui|@conform-to)/' },
      'The domain knows no framework.',
    ),
    never(
      'db',
      { path: room('db'), pathNot: TESTS },
      { path: '^app/', pathNot: '^app/db/|^app/config\\.server\\.ts$' },
      'The database room imports nothing of ours.',
    ),
    never(
      'connections',
      { path: '^app/', pathNot: ['^app/db/(client|pool|connect|migrate)\\.server\\.ts$', TESTS] },
      { path: 'node_modules/pg/', dependencyTypesNot: ['type-only'] },
      'Connections come from db/pool and db/client: those outlive their loss.',
    ),
    never(
      'integrations',
      { path: room('integrations'), pathNot: TESTS },
      { path: '^app/', pathNot: '^app/integrations/|^app/config(/encryption)?\\.server\\.ts$' },
      'Integrations import nothing of ours.',
    ),
    never(
      'web',
      { path: room('web'), pathNot: TESTS },
      {
        path: '^app/',
        pathNot: '^app/(web|integrations|api/contract)/|^app/config(/encryption)?\\.server\\.ts$',
      },
      'The front: integrations, and what the calls of the API say of themselves.',
    ),
    never(
      'identity',
      { path: room('identity'), pathNot: TESTS },
      { path: '^app/', pathNot: '^app/identity/|^app/config\\.server\\.ts$' },
      'The neighbour imports nothing of ours.',
    ),
    never(
      'neighbour',
      {
        path: '^(app|server)',
        pathNot: ['^app/identity/', '^app/entry\\.server\\.tsx$', '^app/process/', '^app/commands/'],
      },
      { path: room('identity') },
      'Nobody imports the neighbour; the process only mounts it.',
    ),
    never(
      'browser',
      {
        path: '\\.tsx?$',
        pathNot: [
          '\\.server\\.tsx?$',
          '^app/routes/',
          '^app/(root|entry\\.server)\\.tsx$',
          '^server\\.ts$',
          '^app/routes\\.ts$',
          TESTS,
          '^app/db/',
          '^tests/',
          '^app/identity/',
          '^app/jobs/',
          '^app/commands/',
        ],
      },
      { path: '\\.server\\.tsx?$' },
      'What may reach the browser imports no server module.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(build|data|tests)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
