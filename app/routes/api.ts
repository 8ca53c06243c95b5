/** Hands /api/v1/* to the API. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { callApi } from '#app/api/instance.server.ts'

export const loader = ({ request, context }: LoaderFunctionArgs) =>
  callApi(request, { ip: context.ip, request_id: context.request_id })

export const action = ({ request, context }: ActionFunctionArgs) =>
  callApi(request, { ip: context.ip, request_id: context.request_id })
