/** The requests of every list of the product: pages, searches, filters and orders, in companies of each size. */
import type { Person, World } from './world.ts'

type Place = { journey: number; lift: number; group: number; author: number }
/** `from`: the number of people below which a company has no such page. */
type Question = { path: string; from?: number }

/** The highest cost in any company, as a multiple of a small one's. */
export const MAX_GROWTH = 1.2

/** One person in seven has it, one in three hundred, one person, nobody. */
const COMMON = 'fischer'
const UNCOMMON = '777'
const RARE = 'person-777.'
const NOBODY = 'xyzzyx'
/** Long, short, nothing but a wildcard, and in every row. */
const HOSTILE = {
  '200 letters': 'a'.repeat(200),
  'one letter': 'e',
  'only %': '%25',
  'in every row': 'bench.example',
}
const LAST_PAGE = 100_000

const list = (
  path: string,
  cases: Readonly<Record<string, string>>,
  pages?: number,
): [string, Question][] => [
  ['first page', { path }],
  ...(pages ? [['page 500', { path: withQuery(path, 'page=500'), from: pages }] as [string, Question]] : []),
  ['a page far behind the last', { path: withQuery(path, `page=${LAST_PAGE}`) }],
  ...Object.entries(cases).map(([name, query]): [string, Question] => [
    name,
    { path: withQuery(path, query) },
  ]),
]

const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`

const searches = (parameter = 'q'): Record<string, string> => ({
  'common search': `${parameter}=${COMMON}`,
  'uncommon search': `${parameter}=${UNCOMMON}`,
  'rare search': `${parameter}=${RARE}`,
  'empty search': `${parameter}=${NOBODY}`,
})

const hostile = (): Record<string, string> =>
  Object.fromEntries(Object.entries(HOSTILE).map(([name, words]) => [name, `q=${words}`]))

function questions(
  { journey, lift, group, author }: Place,
  year: number,
): Record<string, [string, Question][]> {
  return {
    Users: list(
      '/users',
      {
        ...searches(),
        ...hostile(),
        'role, a few': 'role=admin',
        'role, one in a hundred': 'role=author',
        'role, nearly all': 'role=user',
        'role and search': `role=author&q=${COMMON}`,
        'status, a third': 'activation_status=invited',
        'department, a quarter': 'department=Sales',
        'department, one in 500': 'department=Legal',
        'department and role': 'department=Legal&role=user',
        'department and search': `department=Legal&q=${COMMON}`,
        'of a group': `group_id=${group}`,
        'by name': 'order_by=name&order=asc',
        'by e-mail': 'order_by=email&order=asc',
        'by status': 'order_by=status&order=asc',
        'department by name': 'department=Legal&order_by=name&order=asc',
      },
      100_000,
    ),
    Journeys: list(
      '/lljs',
      {
        'common search': 'q=onboarding',
        'rare search': 'q=everybody',
        'empty search': `q=${NOBODY}`,
        ...hostile(),
        'by name typed': 'name=onboarding',
        'status, two thirds': 'status=draft',
        'status, one': 'status=active',
        'category, a quarter': 'category=Safety',
        'of an author': `author=${author}`,
        'by name': 'order_by=name&order=asc',
        'by status': 'order_by=status&order=asc',
        'by category': 'order_by=category&order=asc',
        'by author': 'order_by=author&order=asc',
        'by start': 'order_by=start_on&order=asc',
      },
      1_000_000,
    ),
    Audit: list(
      '/audit_events',
      {
        ...searches('subject'),
        'by a person': 'actor=1',
        'by an address': 'actor=person-777.',
        'action, nearly all': 'action=user.created',
        'action, one in a hundred': 'action=user.updated',
        'action, none': 'action=journey.deleted',
        'kind of subject': 'subject=user',
        'since a day': `from=${year}-01-01T00:00:00Z`,
        'until a day': `to=${year - 1}-01-01T00:00:00Z`,
      },
      100_000,
    ),
    Participants: list(
      `/lljs/${journey}/members`,
      {
        ...searches(),
        ...hostile(),
        'role, nearly all': 'role=learner',
        'role, one': 'role=sponsor',
        'who left': 'withdrawn=true',
        'by name': 'order_by=name&order=asc',
        'since when': 'order_by=date&order=asc',
      },
      100_000,
    ),
    Groups: [
      ['all', { path: '/user_groups' }],
      ['one', { path: `/user_groups/${group}` }],
    ],
    Notifications: [
      ['first page', { path: '/notifications' }],
      ['page 10', { path: '/notifications?page=10&limit=10' }],
    ],
    "Sponsors' learners": [
      ['journeys', { path: '/sponsors_journeys' }],
      ['first page', { path: `/sponsors_journeys/${journey}` }],
      ['search', { path: `/sponsors_journeys/${journey}?q=${COMMON}` }],
    ],
    Analytics: [
      ['overview', { path: '/analytics/overview' }],
      ['overview of a journey', { path: `/analytics/overview?journey=${journey}` }],
      ['choices of filters', { path: '/analytics/filters' }],
      ...list('/analytics/by_user', searches()),
      ['learners by answers', { path: '/analytics/by_user?order_by=answered&order=desc' }],
      ['learners of a journey', { path: `/analytics/by_user?journey=${journey}` }],
      ['lifts', { path: '/analytics/by_lift' }],
      ['behind a figure', { path: '/analytics/explain' }],
      ['behind a figure, common search', { path: `/analytics/explain?q=${COMMON}` }],
      ['answers to a lift', { path: `/lifts/${lift}/responses` }],
      ['overview of a lift', { path: `/analytics/overview?lift=${lift}` }],
      ['a lift with its questions', { path: `/analytics/by_lift?lift=${lift}` }],
      [
        'answers to a lift, as of yesterday',
        {
          path: `/lifts/${lift}/responses?as_of=${new Date(Date.now() - 86_400_000).toISOString()}`,
        },
      ],
      ['answers to a lift, of this year', { path: `/lifts/${lift}/responses?from=${year}-01-01` }],
      ['answers to a lift, common search', { path: `/lifts/${lift}/responses?q=${COMMON}` }],
      ['learners by lifts', { path: `/lljs/${journey}/grid` }],
    ],
    Home: [['what is to do', { path: '/today' }]],
    Choices: [
      ['journeys', { path: '/lljs/data' }],
      ['sponsors of a journey', { path: `/lljs/${journey}/sponsors` }],
      ['timeline', { path: `/lljs/${journey}/schedule` }],
      ['assessments', { path: `/lljs/${journey}/assessments` }],
    ],
  }
}

export type Asked = { list: string; question: string; path: string }

/** All requests to a company of this size. */
export async function asksOf({ admin }: World, { people, actor }: Person): Promise<Asked[]> {
  const { rows } = await admin.query(
    `select j.id::int as journey, (select min(id)::int from lifts where journey_id = j.id) as lift,
       (select min(id)::int from user_groups where tenant_id = $1) as group, (select min(author_id)::int from journeys where tenant_id = $1) as author
     from journeys j where j.tenant_id = $1 order by j.learner_count desc limit 1`,
    [actor.tenant_id],
  )
  return Object.entries(questions(rows[0], new Date().getUTCFullYear())).flatMap(([list, all]) =>
    all.flatMap(([question, { path, from = 0 }]) => (people >= from ? [{ list, question, path }] : [])),
  )
}
