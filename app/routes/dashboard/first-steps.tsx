/** The first steps of a new company, each ticked once its result exists. */
import type { FirstStep } from '#app/domain/today/today.ts'
import { Icon } from '#app/ui/icons.tsx'
import { Link } from '#app/ui/link.tsx'

const STEPS: Record<FirstStep['step'], { title: string; to: string; go: string }> = {
  people: { title: 'Add the people of your company', to: '/users/import', go: 'Import people' },
  journey: { title: 'Create a journey', to: '/lljs/manage/new', go: 'Create New LLJ' },
  lift: {
    title: 'Finish a lift, so that it is ready',
    to: '/lljs/manage?status=draft',
    go: 'Open your drafts',
  },
  learners: { title: 'Add learners to the journey', to: '/lljs/manage', go: 'Choose a journey' },
  launch: { title: 'Launch the journey', to: '/lljs/manage?status=draft', go: 'Choose a draft' },
  answer: { title: 'Get the first answer', to: '/analytics', go: 'Open Analytics' },
}

export function FirstSteps({ steps }: { steps: readonly FirstStep[] }) {
  const next = steps.find(({ is_done }) => !is_done)
  const done = steps.filter(({ is_done }) => is_done).length
  return (
    <section className="section" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <p className="tile-hint">
        {done} of {steps.length} done.
      </p>
      <ol className="first-steps">
        {steps.map(({ step, is_done }) => (
          <li key={step} data-done={is_done || undefined}>
            {is_done ? (
              <Icon name="success" size={20} />
            ) : (
              <span className="first-step-open" aria-hidden="true" />
            )}
            <span>
              <span className="hidden-words">{is_done ? 'Done: ' : 'To do: '}</span>
              {STEPS[step].title}
            </span>
            {step === next?.step ? <Link to={STEPS[step].to}>{STEPS[step].go}</Link> : null}
          </li>
        ))}
      </ol>
    </section>
  )
}
