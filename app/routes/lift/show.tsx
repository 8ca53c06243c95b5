import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { answerLift, getLiftPage } from '#app/api/contract/lifts.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { requireLift } from '#app/routes/guards.server.ts'
import { keepMeanwhile, orKept } from '#app/routes/kept-form.server.ts'
import { tenantNow } from '#app/routes/tenant-clock.server.ts'
import { LiftScreen } from './lift-screen.tsx'
import { drawBlocks } from './markdown.server.tsx'
import { offline } from './offline.ts'
import { readAnswers, unanswered } from './read-answers.server.ts'
import { refuseAnswers, refuseUnanswered } from './refuse-answers.server.ts'
import { TestBanner } from './test-banner.tsx'
import { wrongAnswers } from './wrong-answers.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${isolated(data?.lift.title ?? 'Lift')} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api, principal } = await requireLift(args)
  const { blocks, ...lift } = await orKept(args, api(getLiftPage, { id: args.params.liftId }))
  const again = z.coerce.number().safeParse(new URL(args.request.url).searchParams.get('again')).data
  return {
    lift: { ...lift, blocks: [] },
    blocks: drawBlocks(blocks),
    again,
    reader: principal.user_id,
  }
}

export async function action(args: ActionFunctionArgs) {
  const visitor = await requireLift(args)
  const { api } = visitor
  const liftId = String(args.params.liftId)
  const formData = await args.request.formData()
  const responses = readAnswers(formData)
  const missing = unanswered(formData, responses)
  const complete = formData.get('complete') === 'true'
  const findWrong = async () =>
    wrongAnswers(await api(getLiftPage, { id: liftId }), responses, await tenantNow(args, visitor))
  try {
    if (missing.length > 0) return refuseUnanswered(missing, formData, await findWrong())
    await api(answerLift, { id: liftId }, { responses, complete })
  } catch (error) {
    await keepMeanwhile(args)
    const isWrong = error instanceof Response && error.status === 422
    return refuseAnswers(error, formData, isWrong ? await findWrong() : {})
  }
  const [first] = responses
  return redirect(`/lift/${liftId}${first ? `#prompt-${first.prompt_id}` : ''}`)
}

/** Without a connection the page stays, with all input. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  try {
    return await serverAction<typeof action>()
  } catch (error) {
    if (error instanceof TypeError) return offline()
    throw error
  }
}

export default function ShowLift() {
  const { lift, blocks, again, reader } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  return (
    <>
      {lift.is_test ? <TestBanner /> : null}
      <LiftScreen lift={lift} blocks={blocks} again={again} reader={reader} {...refused} />
    </>
  )
}
