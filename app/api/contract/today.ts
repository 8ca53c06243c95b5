import { Today } from '#app/domain/today/today.ts'
import { callsAbout } from './call.ts'

const { get } = callsAbout('Today')

export const getToday = get('/today', {
  does: 'What today is about for the person: their journeys as author or administrator, as learner and as sponsor',
  may: 'signed in',
  answers: Today,
})
