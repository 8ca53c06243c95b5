import { data, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import {
  isRouteErrorResponse,
  Links,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteLoaderData,
} from '@remix-run/react'
import type { ReactNode } from 'react'
import { getConfig } from './config.server.ts'
import { readToast } from './routes/flash.server.ts'
import { areKeptWords } from './ui/form/kept-words.tsx'
import { Arrival } from './ui/frame/arrival.tsx'
import { BareError, HAS_CHANGED, NOT_ACCEPTED } from './ui/frame/error-screen.tsx'
import { LOG_OUT_QUESTION, useAsksToLogOut } from './ui/frame/log-out.tsx'
import { PageMeta } from './ui/frame/page-meta.tsx'
import { says } from './ui/frame/says.ts'
import { Toaster } from './ui/frame/toast.tsx'
import stylesheet from './ui/theme.css?url'

/** The root sets the title of an error, since the page that threw it has none. */
export const meta: MetaFunction = ({ error }) => [
  { title: error ? `${nameOfError(error)} · Liftwell` : 'Liftwell' },
]

function nameOfError(error: unknown): string {
  if (isRouteErrorResponse(error)) {
    if (areKeptWords(error.data)) return NOT_ACCEPTED
    if (says(error.data, 'has_changed')) return HAS_CHANGED
  }
  const status = isRouteErrorResponse(error) ? error.status : 500
  return { 403: 'No permission', 404: 'Not Found' }[status] ?? 'Error'
}

export const links: LinksFunction = () => [
  { rel: 'stylesheet', href: stylesheet },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/site.webmanifest' },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { toast, headers } = await readToast(request)
  const reports_errors = getConfig().SENTRY_DSN !== undefined
  return data({ nonce: context.nonce, request_id: context.request_id, reports_errors, toast }, { headers })
}

/** The document around every page. `data-…` are the attributes that Radix's `Theme` would write, without its script. */
export function Layout({ children }: { children: ReactNode }) {
  const root = useRouteLoaderData<typeof loader>('root')
  const asksToLogOut = useAsksToLogOut()
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#111113" media="(prefers-color-scheme: dark)" />
        {asksToLogOut ? <title>{`${LOG_OUT_QUESTION} · Liftwell`}</title> : <PageMeta />}
        <Links />
      </head>
      <body
        className="radix-themes"
        data-is-root-theme="true"
        data-accent-color="iris"
        data-gray-color="slate"
        data-has-background="true"
        data-panel-background="solid"
        data-radius="medium"
        data-report-errors={root?.reports_errors}
      >
        <a className="skip-link" href="#main">
          Skip to the content
        </a>
        <Arrival />
        {children}
        <Toaster toast={root?.toast ?? null} />
        <ScrollRestoration nonce={root?.nonce} />
        <Scripts nonce={root?.nonce} />
      </body>
    </html>
  )
}

export default function App() {
  return <Outlet />
}

export function ErrorBoundary() {
  return <BareError />
}
