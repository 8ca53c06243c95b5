/** Hands /api/v1/* to the API. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { callApi } from '#app/api/instance.server.ts'

const answer = ({ request, context: { ip, request_id, found } }: LoaderFunctionArgs | ActionFunctionArgs) =>
  callApi(request, { ip, request_id, found })

export const loader = answer
export const action = answer
