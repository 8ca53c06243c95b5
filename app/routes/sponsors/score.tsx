import { getFormProps } from '@conform-to/react'
import {
  type ActionFunctionArgs,
  data,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getScorable, scoreAnswer } from '#app/api/contract/responses.ts'
import { MAX_COMMENT, ScorableAnswer } from '#app/domain/responses/score.ts'
import { formOfScore, ScoreForm } from '#app/domain/responses/score-form.ts'
import { figures } from '#app/domain/text/figures.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requirePage } from '#app/routes/gone.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { FormActions, FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { compare, SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion } from '#app/ui/form/seen-version.tsx'
import { TextArea, TextInput } from '#app/ui/form/text-input.tsx'
import { Page } from '#app/ui/page.tsx'
import stylesheet from '../analytics/analytics.css?url'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Score ${isolated(data?.answer.learner.name ?? 'an answer')} · Liftwell` },
]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

const idOf = ({ params }: LoaderFunctionArgs | ActionFunctionArgs): number => {
  if (!/^[1-9]\d{0,14}$/.test(params.answerId ?? '')) throw new Response('Not Found', { status: 404 })
  return Number(params.answerId)
}

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  return { answer: await api(getScorable, { id: idOf(args) }).catch(orChanged) }
}

/** The learner has answered again meanwhile: there is another answer to score. */
async function orChanged(error: unknown): Promise<never> {
  if (!(error instanceof Response) || error.status !== 409) throw error
  const { detail, current } = (await error.json()) as { detail: string; current?: { id: number } }
  const next = current && { to: `/answers/${current.id}/score`, words: 'Score the new answer' }
  throw data({ has_changed: true, detail, next }, { status: 409 })
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const id = idOf(args)
  return saveForm(await args.request.formData(), ScoreForm, async (score) => {
    const answer = await api(scoreAnswer, { id }, score).catch(async (error) => {
      await requirePage(error, () => api(getScorable, { id })).catch(orChanged)
      throw error
    })
    return redirectWithToast(backOf(answer), { title: 'Score saved', message: answer.learner.name })
  })
}

/** The page to return to: of the learner, or of the lift's answers. */
const backOf = ({ by, id, journey, learner, lift }: ScorableAnswer): string =>
  by === 'sponsor'
    ? `/sponsors-journey/${journey.id}?learner=${learner.user_id}#answer-${id}`
    : `/analytics?type=by_lift&journey=${journey.id}&lift=${lift.id}#answers`

const LABELS = { points: 'Points', comment: 'Comment' }

export default function ScoreAnswer() {
  const { answer } = useLoaderData<typeof loader>()
  const { learner, lift, journey, question, words, score } = answer
  const { form, fields, stored, typed } = useSchemaForm(ScoreForm, {
    id: 'score',
    defaultValue: formOfScore(answer),
  })
  const saved = ScorableAnswer.safeParse(stored).data
  return (
    <Page
      title={`Score ${isolated(learner.name)}`}
      lead={`“${isolated(lift.title)}” in “${isolated(journey.name)}”.`}
      narrow
    >
      <dl className="report-answers">
        <div>
          <dt>{question}</dt>
          <dd className="report-said">{words}</dd>
        </div>
      </dl>
      <Form method="post" {...getFormProps(form)} className="sponsor-form">
        <FormErrors form={form} labels={LABELS} />
        {saved ? (
          <SavedMeanwhile
            differences={compare(LABELS, formOfScore(saved) as Record<string, unknown>, typed)}
          />
        ) : null}
        <SeenVersion field={fields.version} saved={saved?.score.version} />
        <TextInput
          field={fields.points}
          label={`Points, 0 to ${figures(score.max_score)}`}
          type="number"
          inputMode="decimal"
          required
        />
        <TextArea
          field={fields.comment}
          label="Comment"
          help={`${isolated(learner.name)} reads the points and what you write.`}
          maxLength={MAX_COMMENT}
        />
        <FormActions>
          <ButtonLink to={backOf(answer)} variant="soft" color="gray">
            Cancel
          </ButtonLink>
          <SubmitButton>Save score</SubmitButton>
        </FormActions>
      </Form>
    </Page>
  )
}
