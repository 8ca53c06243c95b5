/**
 * The rules of xAPI 1.0.3 for a statement, written from the standard's part two (Data, 2.2 to 2.4 and 4) and not from
 * app/: what a record store has to refuse.
 */

// biome-ignore lint/suspicious/noExplicitAny: what was sent
type Any = any
type Check = (value: Any) => string[]

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:?\d\d)?)$/
const DURATION =
  /^P(?!$)(\d+(\.\d+)?Y)?(\d+(\.\d+)?M)?(\d+(\.\d+)?W)?(\d+(\.\d+)?D)?(T(?=\d)(\d+(\.\d+)?H)?(\d+(\.\d+)?M)?(\d+(\.\d+)?S)?)?$/
const IRI = /^[a-z][a-z0-9+.-]*:\S+$/i
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/i
const INTERACTIONS = [
  ...['true-false', 'choice', 'fill-in', 'long-fill-in', 'matching', 'performance', 'sequencing', 'likert'],
  ...['numeric', 'other'],
]
/** The kinds of interaction that can have each list of components. */
const COMPONENTS: Record<string, readonly string[]> = {
  choices: ['choice', 'sequencing'],
  scale: ['likert'],
}

const when = (is: boolean, problem: string): string[] => (is ? [] : [problem])

/** Checks that an object has only known fields, and all needed ones. */
function fields(
  what: string,
  value: Any,
  known: Record<string, Check>,
  needed: readonly string[] = [],
): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${what} is no object`]
  return [
    ...needed.filter((name) => !(name in value)).map((name) => `${what} has no ${name}`),
    ...Object.entries(value).flatMap(([name, inner]) => {
      if (inner === null) return [`${what}.${name} is null`]
      return known[name] ? known[name](inner).map((one) => `${what}.${one}`) : [`${what} has ${name}`]
    }),
  ]
}

const text = (name: string) => (value: Any) =>
  when(typeof value === 'string' && value !== '', `${name} is no text`)
const iri = (name: string) => (value: Any) =>
  when(typeof value === 'string' && IRI.test(value), `${name} is no IRI`)
const languages = (name: string) => (value: Any) =>
  Object.entries(value).flatMap(([tag, words]) => [
    ...when(LANGUAGE.test(tag), `${name}: ${tag} is no language`),
    ...when(typeof words === 'string', `${name} is no text`),
  ])

const agent: Check = (value) => {
  const identifiers = ['mbox', 'mbox_sha1sum', 'openid', 'account'].filter((name) => name in value)
  return [
    ...when(identifiers.length === 1, `actor has ${identifiers.length} identifiers`),
    ...fields('actor', value, {
      objectType: (type) => when(type === 'Agent', 'objectType is not Agent'),
      name: text('name'),
      mbox: (mbox) => when(/^mailto:[^\s@]+@[^\s@]+$/.test(mbox), 'mbox is no address'),
      account: (account) =>
        fields('account', account, { homePage: iri('homePage'), name: text('name') }, ['homePage', 'name']),
    }),
  ]
}

const components = (name: string) => (list: Any) =>
  !Array.isArray(list)
    ? [`${name} is no list`]
    : [
        ...when(new Set(list.map((one: Any) => one.id)).size === list.length, `${name} has an id twice`),
        ...list.flatMap((one: Any) =>
          fields(name, one, { id: text('id'), description: languages('description') }, ['id']),
        ),
      ]

const definition: Check = (value) => [
  ...fields('definition', value, {
    name: languages('name'),
    description: languages('description'),
    type: iri('type'),
    interactionType: (kind) => when(INTERACTIONS.includes(kind), `interactionType is ${kind}`),
    correctResponsesPattern: (list) =>
      when(Array.isArray(list) && list.every((one) => typeof one === 'string'), 'no patterns'),
    choices: components('choices'),
    scale: components('scale'),
  }),
  ...Object.entries(COMPONENTS).flatMap(([name, kinds]) =>
    when(!(name in value) || kinds.includes(value.interactionType), `${name} of ${value.interactionType}`),
  ),
]

const activity: Check = (value) =>
  fields(
    'activity',
    value,
    {
      objectType: (type) => when(type === 'Activity', 'objectType is not Activity'),
      id: iri('id'),
      definition,
    },
    ['id'],
  )

const activities = (value: Any) =>
  Array.isArray(value) && value.length > 0 ? value.flatMap(activity) : ['context activities are no list']

const score: Check = (value) => [
  ...fields('score', value, {
    scaled: (one) => when(one >= -1 && one <= 1, 'scaled is not from -1 to 1'),
    ...Object.fromEntries(
      ['raw', 'min', 'max'].map((name) => [
        name,
        (one: Any) => when(typeof one === 'number', `${name} is no number`),
      ]),
    ),
  }),
  ...when(
    value.min === undefined || value.max === undefined || value.min < value.max,
    'min is not below max',
  ),
  ...when(
    value.raw === undefined || (value.raw >= value.min && value.raw <= value.max),
    'raw is out of range',
  ),
]

export const problemsOf = (statement: Any): string[] =>
  fields(
    'statement',
    statement,
    {
      id: (id) => when(UUID.test(id), `id ${id} is no UUID`),
      actor: agent,
      verb: (verb) => fields('verb', verb, { id: iri('id'), display: languages('display') }, ['id']),
      object: activity,
      result: (result) =>
        fields('result', result, {
          score,
          success: (is) => when(typeof is === 'boolean', 'success is no boolean'),
          completion: (is) => when(typeof is === 'boolean', 'completion is no boolean'),
          response: (said) => when(typeof said === 'string', 'response is no text'),
          duration: (took) => when(DURATION.test(took), `duration is ${took}`),
        }),
      context: (context) =>
        fields('context', context, {
          registration: (id) => when(UUID.test(id), 'registration is no UUID'),
          platform: text('platform'),
          language: (tag) => when(LANGUAGE.test(tag), 'language is none'),
          contextActivities: (some) =>
            fields('contextActivities', some, {
              ...{ parent: activities, grouping: activities, category: activities, other: activities },
            }),
        }),
      timestamp: (at) => when(TIMESTAMP.test(at) && !Number.isNaN(Date.parse(at)), `timestamp is ${at}`),
    },
    ['actor', 'verb', 'object'],
  )
