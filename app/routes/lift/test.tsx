import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getTestPage } from '#app/api/contract/lifts.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { requireLift } from '#app/routes/guards.server.ts'
import { LiftScreen } from './lift-screen.tsx'
import { drawBlocks } from './markdown.server.tsx'
import { TestBanner } from './test-banner.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Test: ${isolated(data?.lift.title ?? 'Lift')} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireLift(args)
  const { blocks, ...lift } = await api(getTestPage, { id: args.params.liftId })
  return { lift: { ...lift, blocks: [] }, blocks: drawBlocks(blocks) }
}

export default function TestLift() {
  const { lift, blocks } = useLoaderData<typeof loader>()
  return (
    <>
      <TestBanner />
      <LiftScreen lift={lift} blocks={blocks} />
    </>
  )
}
