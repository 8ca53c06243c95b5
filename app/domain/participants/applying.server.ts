/** Applies a table of participants: who joins, whose data counts, and who sponsors whom. */
import type { Scope } from '../scope/scope.server.ts'
import { changeMembers } from './changing.server.ts'
import { MEMBER_ROLES } from './member.ts'
import { assignSponsors } from './sponsors.server.ts'
import { takeIn } from './take-in.server.ts'

type Row = {
  email: string
  role: (typeof MEMBER_ROLES)[number]
  sponsor?: string | undefined
  exclude_data?: boolean | undefined
}
/** By e-mail address. */
type People = ReadonlyMap<string, { id: number }>

export async function applyRows(
  scope: Scope,
  journeyId: number,
  rows: readonly Row[],
  people: People,
): Promise<void> {
  const idOf = (email: string) => people.get(email)?.id ?? 0
  for (const role of MEMBER_ROLES) {
    const mine = rows.filter((row) => row.role === role)
    const ids = await takeIn(
      scope,
      journeyId,
      mine.map((row) => idOf(row.email)),
      role,
    )
    await leaveOut(scope, journeyId, mine, (row) => ids.get(idOf(row.email)))
    await giveSponsors(scope, journeyId, mine, (row) => ids.get(idOf(row.email)), idOf)
  }
}

type MemberOf = (row: Row) => number | undefined

/** Sets `exclude_data` for the rows that state it. */
async function leaveOut(scope: Scope, journeyId: number, rows: readonly Row[], memberOf: MemberOf) {
  for (const exclude_data of [true, false]) {
    const alike = rows.filter((row) => row.exclude_data === exclude_data)
    for (let start = 0; start < alike.length; start += 500) {
      const member_ids = alike.slice(start, start + 500).flatMap((row) => memberOf(row) ?? [])
      await changeMembers(scope, journeyId, { member_ids, exclude_data })
    }
  }
}

/** In one statement: in a long table each learner may have a different sponsor. */
async function giveSponsors(
  scope: Scope,
  journeyId: number,
  rows: readonly Row[],
  memberOf: MemberOf,
  idOf: (email: string) => number,
) {
  const sponsored = rows.filter((row) => row.sponsor !== undefined)
  const people = [...new Set(sponsored.map((row) => idOf(row.sponsor ?? '')))]
  const sponsors = await takeIn(scope, journeyId, people, 'sponsor')
  const pairs = sponsored.flatMap((row) => {
    const [member, sponsor] = [memberOf(row), sponsors.get(idOf(row.sponsor ?? ''))]
    return member !== undefined && sponsor !== undefined ? [{ member, sponsor }] : []
  })
  await assignSponsors(scope, journeyId, pairs)
}
