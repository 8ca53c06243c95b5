/** Who may make a call. Each has its guard in `guards.server.ts`; the documentation page shows these words. */
export const MAY = {
  anyone: 'anyone, without a token',
  'signed in': 'everyone who is signed in, for what is theirs',

  'manage tenants': 'super admins, outside every tenant',
  'view tenant': 'everyone in the tenant; super admins outside every tenant',
  'view sub-tenants': 'everyone in the tenant; super admins outside every tenant',
  'manage tenant': 'super admins, outside every tenant',
  'restore tenant': 'super admins, outside every tenant',
  'edit company': 'administrators, outside every sub-tenant',
  'manage sub-tenants': 'administrators, outside every sub-tenant',
  'view sub-tenant': 'everyone who can enter the sub-tenant',
  'manage sub-tenant': 'administrators, outside every sub-tenant',
  'restore sub-tenant': 'administrators, outside every sub-tenant',
  'edit sub-tenant company': 'administrators of the tenant or the sub-tenant',
  'manage pool': 'super admins, outside every tenant',

  'view users': 'everyone who can see the list of users',
  'create users': 'administrators',
  'edit users': 'administrators',
  'view user': 'everyone who can see the user',
  'edit user': 'administrators, and the person themselves',
  'manage user': 'administrators',
  'view user group': 'administrators and authors',
  'edit user group': 'administrators',
  'read personal data': 'administrators, and the person themselves',

  'view journeys': 'administrators and authors',
  'create journeys': 'administrators, and authors where the company allows it',
  'edit journey': 'administrators, and the author of the journey',
  'hand over journey': 'administrators',
  'duplicate journey': 'those who can edit the journey and create journeys',
  'edit lift': 'those who can edit the journey of the lift',
  'answer lift': 'learners who got the lift',
  'sponsor journey': 'sponsors with learners in the journey',
  'sponsor learner': 'the sponsor of the learner',
  'sponsor commitment': 'the sponsor of the learner who made it, where the answer is open to sponsors',
  'score response': 'the sponsor of the learner, or those who can edit the journey, as the question says',
  'keep commitment': 'the learner who made it',
  'edit prompt': 'those who can edit the journey of the question',
  'edit objective': 'those who can edit the journey of the objective',
  'edit assessment': 'those who can edit the journey of the assessment',
  'reopen assessment': 'administrators',
  'fill in assessment': 'who is asked about the learner',

  'preview messages': 'administrators',
  'view analytics': 'administrators and authors',
  'view audit log': 'administrators',
  'create API keys': 'administrators who belong to the company, never by a key',
  'manage API keys': 'administrators, never by a key',
  'use testing': 'administrators of the testing tenant',
} as const

export type May = keyof typeof MAY

/** The permissions whose calls are open to API keys: journeys, people and figures. */
const OPEN_TO_KEYS: ReadonlySet<May> = new Set<May>([
  ...(['view tenant', 'view sub-tenants', 'view sub-tenant'] as const),
  ...(['view users', 'create users', 'edit users', 'view user', 'edit user', 'manage user'] as const),
  ...(['view user group', 'edit user group'] as const),
  ...([
    'view journeys',
    'create journeys',
    'edit journey',
    'hand over journey',
    'duplicate journey',
  ] as const),
  ...(['edit lift', 'edit prompt', 'edit objective', 'edit assessment', 'reopen assessment'] as const),
  ...(['view analytics', 'preview messages', 'view audit log'] as const),
])

/**
 * Calls about one's own account, about signing in, and about the company, tenants and keys need a signed-in person.
 */
export const isOpenToKeys = ({ may, keys }: { readonly may: May; readonly keys?: boolean }): boolean =>
  keys ?? OPEN_TO_KEYS.has(may)
