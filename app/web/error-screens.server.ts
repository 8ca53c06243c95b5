/** For an address without a page, the error screen of the pages around it. */
import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/node'
import { branchOf } from './branches.server.ts'

/** Statuses for which the screens have words; every other refusal shows the small page. */
const SHOWN: readonly number[] = [403, 404]

type Handler = ReturnType<typeof createRequestHandler>
type Asked = { request: Request; context: AppLoadContext }

export const wantsScreen = ({ request }: Asked, status: number): boolean =>
  SHOWN.includes(status) && (request.headers.get('accept') ?? '').includes('text/html')

/** `leaf` is the route that takes the missing page's place: its loader throws the refusal again. */
export function errorScreens(build: ServerBuild) {
  const handlers = new Map<string, Handler>()
  return (leaf: string, refusal: unknown, { request, context }: Asked): Promise<Response> => {
    const handler = handlers.get(leaf) ?? createRequestHandler(withPage(branchOf(build, leaf), leaf))
    handlers.set(leaf, handler)
    context.found.set('refusal', refusal)
    const { url, headers, signal } = request
    return handler(new Request(url, { headers, signal }), context)
  }
}

function withPage(build: ServerBuild, leaf: string): ServerBuild {
  const route = build.routes[leaf]
  if (!route) return build
  const module = {
    default: () => null,
    loader: ({ context }: { context: AppLoadContext }) => Promise.reject(context.found.get('refusal')),
  }
  return { ...build, routes: { ...build.routes, [leaf]: { ...route, module } } }
}
