/** Answers API calls before Remix looks for a page: its routing and its streams cost a tenth of the time each. */
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Response as Answer, Request as Asked, RequestHandler } from 'express'
import { isApi } from './answer.server.ts'

type Known = { ip: string; request_id: string; found: Map<string, unknown> }
/** Answers a call; undefined where there is no API. */
export type CallApi = (request: Request, known: Known) => Promise<Response>

export const answerCalls =
  (findApi: () => Promise<CallApi | undefined>, begin: (req: Asked, res: Answer) => Known): RequestHandler =>
  async (req, res, next) => {
    const callApi = isApi(req.path) ? await findApi() : undefined
    if (!callApi) return next()
    const known = begin(req, res)
    const answer = async (request: Request) => {
      const made = await callApi(request, known).catch(next)
      // A body that grew too large already has its answer.
      return made && !res.headersSent ? made : RESPONSE_ALREADY_SENT
    }
    await getRequestListener(answer, { overrideGlobalObjects: false })(req, res)
  }
