import * as calls from '#app/api/contract/people/mail-stops.ts'
import { serve } from '#app/api/serve.server.ts'
import { openStopLink } from '#app/auth/stop-links.server.ts'
import { getAddressState, tryAddressAgain } from '#app/domain/mail-stops/addresses.server.ts'
import { changeStop, getOwnStops, readStop, setOwnStops } from '#app/domain/mail-stops/stopping.server.ts'

export const mailStops = serve(calls, {
  getMailStop: async ({ database, ids }) => readStop(database, openStopLink(ids.token)),
  changeMailStop: async ({ database, ids, body }) => changeStop(database, openStopLink(ids.token), body),
  getOwnMailStops: ({ scope }) => getOwnStops(scope),
  setOwnMailStops: ({ scope, body }) => setOwnStops(scope, body),
  getAddressState: ({ scope, found }) => getAddressState(scope, found),
  tryAddressAgain: ({ scope, ids }) => tryAddressAgain(scope, ids.id),
})
