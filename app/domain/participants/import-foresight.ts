/** A preview of what a row of a table would do to a participant. */
import type { MembersImported } from './member.ts'

type Told = Pick<MembersImported['rows'][number], 'outcome' | 'changes'>
type Wanted = { role: string; sponsor: string | undefined; exclude_data: boolean | undefined }
export type Held = { role: string; isGone: boolean; exclude_data: boolean; sponsor: string | null }

export function foresee({ role, sponsor, exclude_data }: Wanted, held: readonly Held[]): Told {
  const same = held.find((one) => one.role === role)
  const others = held.filter((one) => one.role !== role && !one.isGone).map((one) => one.role)
  const isNew = same === undefined || same.isGone
  const all: Told['changes'] = []
  if (isNew && others.length > 0)
    all.push({ field: 'role', before: others.join(', '), after: [...others, role].join(' and ') })
  if (sponsor !== undefined) all.push({ field: 'sponsor', before: same?.sponsor ?? 'nobody', after: sponsor })
  if (exclude_data !== undefined || isNew)
    all.push({
      field: 'exclude_data',
      before: yesOrNo(same?.exclude_data ?? false),
      after: yesOrNo(exclude_data ?? same?.exclude_data ?? false),
    })
  const changes = all.filter((one) => one.before !== one.after)
  return { outcome: outcomeOf(same, changes.length > 0), changes }
}

const yesOrNo = (flag: boolean): string => (flag ? 'yes' : 'no')

function outcomeOf(same: Held | undefined, isChanged: boolean): Told['outcome'] {
  if (!same) return 'added'
  if (same.isGone) return 'returns'
  return isChanged ? 'changed' : 'same'
}
