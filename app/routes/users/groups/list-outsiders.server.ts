/** People who are not in a group yet: the ticked ones, and search results. */
import type { ApiClient } from '#app/api/client.server.ts'
import { listUsers } from '#app/api/contract/people/users.ts'
import type { User } from '#app/domain/users/user.ts'

const BY_NAME = { order_by: 'name', order: 'asc', per_page: 100 }

export async function listOutsiders(api: ApiClient, groupId: number, q: string, ticked: readonly number[]) {
  const [{ data: matching }, { data: named }] = await Promise.all([
    api(listUsers, { ...BY_NAME, q }),
    ticked.length > 0 ? api(listUsers, { ...BY_NAME, user_ids: ticked.join(',') }) : { data: [] },
  ])
  const [chosen, others] = await Promise.all([
    withoutGroup(api, groupId, named),
    withoutGroup(api, groupId, matching),
  ])
  return { chosen, others: others.filter(({ id }) => !ticked.includes(id)) }
}

/** Also without deactivated people, who cannot be added. */
async function withoutGroup(api: ApiClient, group_id: number, users: readonly User[]): Promise<User[]> {
  const open = users.filter((user) => user.activation_status !== 'disabled')
  if (open.length === 0) return []
  const user_ids = open.map(({ id }) => id).join(',')
  const { data } = await api(listUsers, { ...BY_NAME, group_id, user_ids })
  const inside = new Set(data.map(({ id }) => id))
  return open.filter(({ id }) => !inside.has(id))
}
