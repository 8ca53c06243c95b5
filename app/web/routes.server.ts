/** Wraps every route for Remix: forms are read here, and a route without a page explains its refusals on one. */
import type {
  ActionFunctionArgs,
  AppLoadContext,
  LoaderFunctionArgs,
  ServerBuild,
  ServerEntryModule,
} from '@remix-run/node'
import { page } from './answer.server.ts'
import { errorScreens, wantsScreen } from './error-screens.server.ts'
import { withForm } from './forms.server.ts'
import { withWords } from './kept-words.server.ts'
import { followedByBrowser } from './older-build.server.ts'
import { type Refusal, refusalIn } from './refusal.server.ts'

type Route = NonNullable<ServerBuild['routes'][string]>
type Module = Route['module']
type Args = LoaderFunctionArgs | ActionFunctionArgs
type Work = (args: Args) => unknown
type Show = (refusal: unknown, args: Args) => Promise<Response>
type Answers = { tell: ServerEntryModule['handleError']; show: Show }

export function withOurAnswers(build: ServerBuild): ServerBuild {
  const tell = build.entry.module.handleError
  const show = errorScreens(build)
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route]
    const showHere: Show = (refusal, args) => show(id, refusal, args)
    const answers = isPage(route) ? readingForms(route.module) : bare(route.module, { tell, show: showHere })
    const { action } = answers
    const module = action ? { ...answers, action: followedByBrowser(build.assets.version, action) } : answers
    return [id, { ...route, module }]
  })
  return { ...build, routes: Object.fromEntries(routes) }
}

/** The API answers in its own shape. */
const isPage = ({ module, path }: Route) => module.default || module.ErrorBoundary || path === 'api/*'

const readingForms = (module: Module): Module => ({
  ...module,
  ...(module.loader && { loader: withWords(module.loader) }),
  ...(module.action && { action: withForm(module.action) }),
})

/** Routes without a page: downloads, and addresses that scripts call. */
function bare(module: Module, answers: Answers): Module {
  const { loader, action } = module
  const read = sayingWhy((loader ?? notAllowed) as Work, answers) as NonNullable<Module['loader']>
  const write = sayingWhy((action ? withForm(action) : notAllowed) as Work, answers)
  return { ...module, loader: read, action: write as NonNullable<Module['action']> }
}

const notAllowed = () =>
  Promise.reject(
    Response.json({ detail: 'This address does not accept this kind of request.' }, { status: 405 }),
  )

const sayingWhy =
  (work: Work, { tell, show }: Answers): Work =>
  async (args) => {
    try {
      return await work(args)
    } catch (error) {
      const refusal = await refusalIn(error)
      // Our own script handles the refusal itself; a redirect is not a refusal.
      if (args.context.is_for_script || (refusal && refusal.status < 400)) throw error
      if (!refusal) tell?.(error, args as LoaderFunctionArgs)
      if (refusal && wantsScreen(args, refusal.status)) return show(error, args)
      return refuse(refusal ?? { status: 500 }, args.context)
    }
  }

const detailOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'detail' in body ? body.detail : body

const WORDS: Record<number, string> = {
  403: 'You do not have permission to see this page.',
  404: 'This page doesn’t exist, or you don’t have access.',
  500: 'There was an error, please try again later.',
}

type Told = Pick<Refusal, 'status'> & Partial<Refusal>

function refuse({ status, body, headers: given }: Told, context: AppLoadContext): Response {
  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8' })
  for (const name of ['retry-after', 'allow', 'set-cookie']) {
    const value = given?.get(name)
    if (value) headers.append(name, value)
  }
  const detail = detailOf(body)
  const words = typeof detail === 'string' && status < 500 && status !== 404 ? detail : WORDS[status]
  const heading = status === 403 ? 'No permission' : undefined
  const said = { status, heading, detail: words ?? 'This did not work.' }
  const text = page(said, context.nonce, context.request_id)
  return new Response(text, { status, headers })
}
