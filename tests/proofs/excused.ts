/** What may be taken away without the matrix noticing, each for a reason: `guard` is a part of its name. */
export const EXCUSED: readonly { guard: string; why: string }[] = [
  {
    guard: 'app/auth/tokens.server.ts',
    why: 'the matrix sends no tokens: auth-bearer.test.ts forges each kind',
  },
  {
    guard: 'app/auth/bearer.server.ts',
    why: 'the matrix sends no tokens: auth-bearer.test.ts forges each kind',
  },
  { guard: 'app/auth/cognito/', why: 'of the sign-in, not of a call: cognito-sign-in.test.ts' },
  { guard: 'app/auth/sessions.server.ts', why: 'of the screens’ sessions: auth-sessions.test.ts' },
  { guard: 'app/auth/places.server.ts', why: 'of the screens’ sessions: auth-sessions.test.ts' },
  {
    guard: 'app/auth/session-list.server.ts',
    why: 'nobody in the matrix is signed in: auth-session-list.test.ts',
  },
  {
    guard: 'app/api/doors.server.ts',
    why: 'asked only where the input is wrong: the matrix has a test of that',
  },
  {
    guard: 'on audit_events',
    why: 'the log is changed by nobody: the application has no right to it at all',
  },
  {
    guard: 'on consent_events',
    why: 'what was said is changed by nobody: the application has no right to it at all',
  },
  {
    guard: 'journeys.server.ts:74',
    why: 'who sees a journey’s workings may change it: getJourney has refused already',
  },
  { guard: '!journey.may_edit', why: 'requireEditable has refused already' },
  {
    guard: 'find-tenant.server.ts',
    why: 'without it the next look finds nothing: the policies stand behind it',
  },
  { guard: 'imports.server.ts:17', why: 'getImport refuses at the end, and all is undone' },
  { guard: 'users.server.ts', why: 'there is no role without users:view' },
  ...['lifts/versions', 'tenants/tenants', 'users/current-user', 'lifts/pages', 'lifts/responses'].map(
    (file) => ({
      guard: `app/domain/${file}.server.ts`,
      why: 'a row that was there a moment ago',
    }),
  ),
  {
    guard: 'app/auth/pool-editing.server.ts',
    why: 'a row that was there a moment ago; the operator’s own pool: pools.test.ts',
  },
  ...[
    'members/changing',
    'members/members',
    'schedules/preview',
    'security/own-security',
    'privacy/data-export',
  ].map((file) => ({
    guard: `app/domain/${file}.server.ts`,
    why: 'not in the matrix: a second thing that is named beside the one in the path',
  })),
  ...['users/changing', 'users/roles'].map((file) => ({
    guard: `app/domain/${file}.server.ts`,
    why: 'not in the matrix: people of several parts, and super admins as somebody’s people',
  })),
  {
    guard: 'takes for all parts',
    why: 'not looked at yet: a row that is moved below a thing of another part of the same company',
  },
]
