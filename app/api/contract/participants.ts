/** Who takes part in a journey; below the path of the journeys. */

import { z } from 'zod'
import {
  Member,
  MemberPage,
  MemberQuery,
  MembersAdded,
  MembersChange,
  MembersImport,
  MembersImported,
  MembersInput,
  RemoveMemberQuery,
  Sponsors,
} from '#app/domain/participants/member.ts'
import { callsAbout } from './call.ts'
import { whenFiltered } from './dear.ts'
import { IMPORTS, LIST_BYTES, SENDING } from './limits.ts'
import { NOTHING, NumericId, oneId } from './parts.ts'

const { get, post, patch, remove } = callsAbout('Members')

export const listParticipants = get('/lljs/{id}/members', {
  does: 'A page of the members of a journey',
  may: 'edit journey',
  ids: oneId,
  query: MemberQuery,
  answers: MemberPage,
  dear: whenFiltered,
})

export const addParticipants = post('/lljs/{id}/members', {
  does: 'Add people; who takes part already stays as they are',
  may: 'edit journey',
  ids: oneId,
  body: MembersInput,
  answers: MembersAdded,
  described: 'Added',
  status: 201,
  audited: true,
})

export const changeParticipants = patch('/lljs/{id}/members', {
  does: 'Change members: whether they count, their sponsor, their role, their return',
  may: 'edit journey',
  ids: oneId,
  body: MembersChange,
  answers: z.object({ data: z.array(Member) }),
  audited: true,
})

export const importParticipants = post('/lljs/{id}/members/import', {
  does: 'Add and change members from a table (CSV); a dry run says what would happen',
  may: 'edit journey',
  ids: oneId,
  body: MembersImport,
  answers: MembersImported,
  bytes: LIST_BYTES,
  perPerson: IMPORTS,
  perAddress: SENDING,
  audited: true,
})

export const listSponsors = get('/lljs/{id}/sponsors', {
  does: 'The sponsors of a journey, each with their learners',
  may: 'edit journey',
  ids: oneId,
  answers: Sponsors,
})

export const removeParticipant = remove('/lljs/{id}/members/{memberId}', {
  does: 'Remove a participant: what is unsent is canceled, answers stay',
  may: 'edit journey',
  ids: z.object({ id: NumericId, memberId: NumericId }),
  query: RemoveMemberQuery,
  answers: NOTHING,
  audited: true,
})
