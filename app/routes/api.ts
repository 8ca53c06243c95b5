import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { callApi } from '#app/api/instance.server.ts'
import { getConfig } from '#app/config.server.ts'

/** In front of another server there is no API here. */
const absent = () =>
  Response.json({ has_error: true, status: 404, detail: 'There is no API at this address.' }, { status: 404 })

const answer = ({ request, context: { ip, request_id, found } }: LoaderFunctionArgs | ActionFunctionArgs) =>
  getConfig().WEB_TIER ? absent() : callApi(request, { ip, request_id, found })

export const loader = answer
export const action = answer
