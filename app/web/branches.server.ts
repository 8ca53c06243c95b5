/** A request handler for each branch of the sitemap, because Remix matches against all its routes three times a page. */
import { createRequestHandler, type RequestHandler } from '@remix-run/express'
import type { ServerBuild } from '@remix-run/node'
import { matchRoutes } from '@remix-run/react'

type Places = Parameters<typeof matchRoutes>[0]
type Options = Omit<Parameters<typeof createRequestHandler>[0], 'build'> & { build: ServerBuild }

/** Paths without their numbers are few; the limit keeps requests for made-up paths from filling memory. */
const MAX_REMEMBERED = 1_000

export function handleByBranch({ build, ...options }: Options): RequestHandler {
  const tree = treeOf(build)
  const handlers = new Map<string, RequestHandler>()
  const remembered = new Map<string, string | null>()

  function leafAt(path: string): string | null {
    const known = remembered.get(path)
    if (known !== undefined) return known
    const leaf = matchRoutes(tree, path)?.at(-1)?.route.id ?? null
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(path, leaf)
    return leaf
  }

  function handlerOf(leaf: string | null): RequestHandler {
    const key = leaf ?? ''
    const handler =
      handlers.get(key) ??
      createRequestHandler({ ...options, build: leaf === null ? build : branchOf(build, leaf) })
    handlers.set(key, handler)
    return handler
  }

  return (req, res, next) => handlerOf(leafAt(pageOf(req.path)))(req, res, next)
}

/** No route is distinguished by a number, so one number stands for all. */
const pageOf = (path: string): string =>
  path
    .replace(/\.data$/, '')
    .replace(/^\/_root$/, '/')
    .replace(/\/\d+(?=\/|$)/g, '/0')

function treeOf({ routes }: Pick<ServerBuild, 'routes'>, parent?: string): Places {
  const places: Places = []
  for (const route of Object.values(routes)) {
    if (!route || route.parentId !== parent) continue
    const { id, path, index, caseSensitive = false } = route
    const place = { id, caseSensitive, ...(path !== undefined && { path }) }
    places.push(index ? { ...place, index } : { ...place, children: treeOf({ routes }, id) })
  }
  return places
}

/** The build reduced to one leaf of the sitemap and its parent routes. */
export function branchOf(build: ServerBuild, leaf: string): ServerBuild {
  const ids = new Set<string>()
  for (let id: string | undefined = leaf; id !== undefined; id = build.routes[id]?.parentId) ids.add(id)
  const ofBranch = <Routes extends object>(routes: Routes): Routes =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => ids.has(id))) as Routes
  return {
    ...build,
    routes: ofBranch(build.routes),
    assets: { ...build.assets, routes: ofBranch(build.assets.routes) },
  }
}
