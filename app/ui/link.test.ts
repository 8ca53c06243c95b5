import { createRequestHandler, type ServerBuild } from '@remix-run/node'
import { Link as BrowserLink, RemixServer } from '@remix-run/react'
import { createElement as h } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Link, prefetchOf } from './link.tsx'

type Props = Parameters<typeof Link>[0]

const LINKS: Props[] = [
  ...['/users?page=2#top', '/', '?q=a%2Fb&role=admin', '#main', '?', '', '3/edit', '..', '/users?', '?#x'],
  ...['//else.example/x', 'https://else.example/x', 'mailto:a@b.example', { search: 'a=1' }],
].map((to) => ({ to, children: 'There' }))
LINKS.push(
  { to: '/', prefetch: 'intent', replace: true, preventScrollReset: true, state: { a: 1 }, className: 'tab' },
  { to: '/', reloadDocument: true, rel: 'next', target: '_blank', 'aria-current': 'page' },
)

test.each(LINKS)('A link renders the same on the server as in the browser: $to', async (props) => {
  const ours = await drawn(h(Link, props))
  expect(ours).toContain('<a ')
  expect(ours).toBe(await drawn(h(BrowserLink, props)))
})

test('A link prefetches on intent, unless opening its page does something or reloads the document', () => {
  const when = (props: Partial<Props>) => prefetchOf({ to: '/', ...props })
  for (const to of ['/users?page=2', '..', '?q=a', '/lift/t/7', '/lljs/7/learner', '/logins'])
    expect([to, when({ to })]).toEqual([to, 'intent'])
  for (const to of [
    '/lift/71',
    '/lift/71?again=3#prompt-3',
    '/lift/71/enter?k=x',
    '/login',
    '/login/signIn',
    '/logout',
  ])
    expect([to, when({ to })]).toEqual([to, 'none'])
  expect([when({ reloadDocument: true }), when({ target: '_blank' })]).toEqual(['none', 'none'])
})

/** Rendered at /lljs/7/people?page=3, in a route of its own. */
async function drawn(link: ReturnType<typeof h>): Promise<string> {
  const id = 'root'
  const route = { id, path: '/lljs/:id/people' }
  const build = {
    entry: {
      module: {
        default: (request: Request, _status: number, _headers: Headers, context: never) =>
          new Response(renderToStaticMarkup(h(RemixServer, { context, url: request.url }))),
      },
    },
    routes: { [id]: { ...route, module: { default: () => link } } },
    assets: { version: '', url: '', entry: { module: '', imports: [] }, routes: { [id]: route } },
    future: { v3_singleFetch: true },
    publicPath: '/',
    assetsBuildDirectory: '',
    isSpaMode: false,
  } as unknown as ServerBuild
  const answer = await createRequestHandler(
    build,
    'production',
  )(new Request('http://site.example/lljs/7/people?page=3'))
  return answer.text()
}
