import * as calls from '#app/api/contract/participants.ts'
import { serve } from '#app/api/serve.server.ts'
import { changeMembers } from '#app/domain/participants/changing.server.ts'
import { importMembers } from '#app/domain/participants/importing.server.ts'
import { listSponsors } from '#app/domain/participants/list-sponsors.server.ts'
import { listMembers } from '#app/domain/participants/listing.server.ts'
import { addMembers, removeMember } from '#app/domain/participants/members.server.ts'

export const participants = serve(calls, {
  listParticipants: ({ scope, ids, query }) => listMembers(scope, ids.id, query),
  addParticipants: ({ scope, ids, body }) => addMembers(scope, ids.id, body),
  changeParticipants: async ({ scope, ids, body }) => ({ data: await changeMembers(scope, ids.id, body) }),
  importParticipants: ({ scope, ids, body }) => importMembers(scope, ids.id, body),
  listSponsors: async ({ scope, ids }) => ({ data: await listSponsors(scope, ids.id) }),
  removeParticipant: async ({ scope, ids, query }) => {
    const { id, memberId } = ids
    await removeMember(scope, id, memberId, query.successor_id)
    return {}
  },
})
