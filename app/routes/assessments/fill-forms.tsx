/** The visitor's open form, and links to their other ones. */
import { useActionData } from '@remix-run/react'
import { Fragment } from 'react'
import type { AssessmentItem } from '#app/domain/assessments/assessment.ts'
import { isFillable, type LearnerAssessment, type LearnerAssessments } from '#app/domain/assessments/form.ts'
import { Day } from '#app/ui/day.tsx'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { KeptWordsFields } from '#app/ui/form/kept-words.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Link } from '#app/ui/link.tsx'
import type { FillRefused } from './answers.server.ts'
import { fieldOf, ItemField, wordsOf } from './item-field.tsx'
import { whoReads } from './who-reads.ts'

type Own = { assessment: LearnerAssessment; form: LearnerAssessment['forms'][number] }

type FillFormsProps = { shown: LearnerAssessments; chosen: number | null; zone: string }

export function FillForms({ shown, chosen, zone }: FillFormsProps) {
  const refused = useActionData<FillRefused>()
  const waiting = shown.assessments.flatMap((assessment) =>
    assessment.forms
      .filter((form) => form.is_mine && isFillable(form.state))
      .map((form): Own => ({ assessment, form })),
  )
  const sent = waiting.find((one) => one.assessment.id === Number(refused?.typed.assessment))
  const isStale = isFilledSince(sent?.form, refused)
  const own = sent ?? waiting.find((one) => one.assessment.id === chosen) ?? waiting[0]
  return (
    <>
      {refused ? <Refusal refused={refused} shown={sent?.assessment.items} /> : null}
      {own ? (
        <section className="section fill" aria-labelledby="fill">
          <h2 id="fill">{own.assessment.name}</h2>
          <Others waiting={waiting} own={own} />
          <FillForm
            key={`${own.assessment.id} ${own.form.revision} ${isStale ? own.form.answers_version : ''}`}
            {...{ own, shown, zone }}
            refused={sent && refused}
            isStale={isStale}
          />
        </section>
      ) : null}
    </>
  )
}

/** Whether other answers have been saved in another window since the refused form was opened. */
const isFilledSince = (form: Own['form'] | undefined, refused: FillRefused | undefined): boolean => {
  const seen = refused?.typed.answers_version
  return form !== undefined && seen !== undefined && seen !== form.answers_version
}

type RefusalProps = { refused: FillRefused; shown: readonly AssessmentItem[] | undefined }

/** Input that no field shows any longer: the form, or one of its questions, is gone. */
function Refusal({ refused: { problem, typed }, shown }: RefusalProps) {
  const words = wordsOf(typed, shown)
  return (
    <>
      {problem && !shown ? (
        <p className="form-errors" role="alert" data-accent-color="red">
          {problem}
        </p>
      ) : null}
      {words.length > 0 ? (
        <div className="fill-form" role="status">
          <p>This was not saved. What you wrote is below, so that you can copy it.</p>
          <KeptWordsFields kept_words={words} />
        </div>
      ) : null}
    </>
  )
}

function Others({ waiting, own }: { waiting: readonly Own[]; own: Own }) {
  const others = waiting.filter((one) => one !== own)
  if (others.length === 0) return null
  return (
    <p>
      Also waiting:{' '}
      {others.map(({ assessment }, index) => (
        <Fragment key={assessment.id}>
          {index > 0 ? ', ' : null}
          <Link to={`?assessment=${assessment.id}`}>{assessment.name}</Link>
        </Fragment>
      ))}
    </p>
  )
}

type FillFormProps = {
  own: Own
  shown: LearnerAssessments
  zone: string
  refused: FillRefused | undefined
  isStale: boolean
}

function FillForm({ own: { assessment, form }, shown, zone, refused, isStale }: FillFormProps) {
  const { items } = assessment
  const wrong = items.filter((item) => refused?.errors[`item_${item.id}`])
  return (
    <Form method="post" className="fill-form" preventScrollReset>
      <input type="hidden" name="assessment" value={assessment.id} />
      <input type="hidden" name="rater" value={form.rater} />
      <input type="hidden" name="revision" value={form.revision} />
      <input type="hidden" name="answers_version" value={form.answers_version ?? ''} />
      {refused && (refused.problem || wrong.length > 0) ? (
        <div className="form-errors" role="alert" tabIndex={-1} data-accent-color="red">
          <div>
            <p className="form-errors-title">Nothing has been saved yet. Please check the following:</p>
            <ul>
              {refused.problem ? <li>{refused.problem}</li> : null}
              {wrong.map((item) => (
                <li key={item.id}>
                  <a href={`#${fieldOf(item)}`}>{item.text}</a>:{' '}
                  {refused.errors[`item_${item.id}`]?.join(' ')}
                </li>
              ))}
            </ul>
          </div>
        </div>
      ) : null}
      <p>
        {whoseView(form.rater, shown.learner.name)} You can skip questions, and save as you go.
        {form.closes_at ? (
          <>
            {' '}
            Open until <Day at={form.closes_at} zone={zone} timed />.
          </>
        ) : null}
      </p>
      <p>{whoReads(form.rater, assessment.raters, shown.learner.name)}</p>
      {form.reopened_reason ? <p className="lift-callout">Opened again: {form.reopened_reason}</p> : null}
      {items.length === 0 ? <p>No questions yet.</p> : null}
      {items.map((item) => (
        <ItemField
          key={item.id}
          item={item}
          {...valuesOf(item, form, refused, isStale)}
          errors={refused?.errors[`item_${item.id}`]}
        />
      ))}
      <div className="form-actions">
        <SubmitButton intent="save" variant="soft">
          Save for later
        </SubmitButton>
        <SubmitButton intent="submit">Submit</SubmitButton>
      </div>
    </Form>
  )
}

const answerOf = (form: Own['form'], itemId: number): string =>
  String(form.answers?.find((one) => one.item_id === itemId)?.value ?? '')

/** An empty field of an outdated window does not overwrite an answer from a newer one. */
function valuesOf(
  item: AssessmentItem,
  form: Own['form'],
  refused: FillRefused | undefined,
  isStale: boolean,
) {
  const [typed, stored] = [refused?.typed[fieldOf(item)], answerOf(form, item.id)]
  if (!isStale) return { value: typed ?? stored, saved: null }
  const isOther = typed?.trim() && stored && typed.trim() !== stored
  return { value: typed || stored, saved: isOther ? stored : null }
}

const whoseView = (rater: Own['form']['rater'], learner: string): string =>
  `Say how you see ${rater === 'self' ? 'yourself' : learner}.`
