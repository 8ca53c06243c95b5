import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData, useLocation } from '@remix-run/react'
import { isAway } from '#app/api/refuse.server.ts'
import { Bare } from '#app/ui/frame/bare.tsx'
import { NotFoundScreen } from '#app/ui/frame/error-screen.tsx'
import { Shell } from '#app/ui/frame/shell.tsx'
import { visitOf } from './found-once.server.ts'
import { readFrame } from './frame.server.ts'
import { requireVisitor } from './guards.server.ts'

export const meta: MetaFunction = () => [{ title: 'Not Found · Liftwell' }]

/** Every URL without a route, whether or not the visitor can be identified. */
export async function loader(args: LoaderFunctionArgs) {
  const frame = await readFrameOf(args).catch((error) => {
    if (isAway(error)) return null
    throw error
  })
  return data({ frame }, { status: 404 })
}

async function readFrameOf(args: LoaderFunctionArgs) {
  const { kind } = await visitOf(args)
  return kind === 'stranger' ? null : readFrame(args, await requireVisitor(args))
}

export function action() {
  throw data({ detail: 'Not Found' }, { status: 404 })
}

export default function NotFound() {
  const { frame } = useLoaderData<typeof loader>()
  const { pathname } = useLocation()
  const screen = <NotFoundScreen isCut={/^\/(lift|invitation)\b/.test(pathname)} />
  return frame ? <Shell {...frame}>{screen}</Shell> : <Bare>{screen}</Bare>
}
