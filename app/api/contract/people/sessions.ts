import { z } from 'zod'
import { callsAbout } from '#app/api/contract/call.ts'
import { ABOUT_ONESELF, NOTHING } from '#app/api/contract/parts.ts'
import { Session, SessionId } from '#app/domain/users/session.ts'

const { get, remove } = callsAbout('Sessions')

export const listSessions = get('/users/me/sessions', {
  does: 'Where the caller is signed in, newest first',
  may: 'signed in',
  answers: z.object({ data: z.array(Session) }),
  early: ABOUT_ONESELF,
})

export const endOtherSessions = remove('/users/me/sessions', {
  does: 'Log out everywhere but here',
  may: 'signed in',
  answers: NOTHING,
  early: ABOUT_ONESELF,
  audited: true,
})

export const endSession = remove('/users/me/sessions/{id}', {
  does: 'Log out there: at once, with the access token it held',
  may: 'signed in',
  ids: z.object({ id: SessionId }),
  answers: NOTHING,
  early: ABOUT_ONESELF,
  audited: true,
})
