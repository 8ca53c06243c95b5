import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router-dom/server.js'
import { expect, it } from 'vitest'
import { RouteErrorScreen } from './error-screen.tsx'

async function drawn(error: unknown): Promise<string> {
  const loader = () => Promise.reject(error)
  const routes = [
    {
      id: 'root',
      path: '/',
      element: null,
      errorElement: createElement(RouteErrorScreen),
      loader,
    },
  ]
  const { query } = createStaticHandler(routes)
  const context = (await query(new Request('http://localhost/'))) as StaticHandlerContext
  const router = createStaticRouter(routes, context)
  const screen = createElement(StaticRouterProvider, { router, context, hydrate: false })
  return renderToStaticMarkup(screen).replace(/<[^>]+>/g, '|')
}

it.each([
  [
    new Error('x is no function'),
    /Something went wrong!.*Go back home.*Retry.*Show Error.*Hide Error.*x is no function/,
  ],
  [new Response(null, { status: 502 }), /There was an error, please try again later\..*Go back home.*Retry/],
  [new Response(null, { status: 404 }), /Not Found.*Go back home/],
])('The screen of a failed page names the failure and leads on (%o)', async (error, words) => {
  expect(await drawn(error)).toMatch(words)
})
