/** The life of a journey after its launch, and the questions before each step. */
import type { JourneyStatus } from '#app/domain/journeys/journey.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { ConfirmDialog, type DialogVariant } from '#app/ui/dialog.tsx'
import { useSearchLink } from '#app/ui/search.ts'

export const STEPS = ['pause', 'resume', 'complete', 'archive'] as const
type Step = (typeof STEPS)[number]

const OFFERED: Record<JourneyStatus, readonly Step[]> = {
  draft: ['archive'],
  scheduled: ['pause', 'complete'],
  active: ['pause', 'complete'],
  paused: ['resume', 'archive'],
  completed: ['archive'],
  archived: [],
}
const WORDS: Record<Step, string> = {
  pause: 'Pause',
  resume: 'Resume',
  complete: 'Complete',
  archive: 'Archive',
}

export function RunningPanel({ status, mayEdit }: { status: JourneyStatus; mayEdit: boolean }) {
  const link = useSearchLink()
  return (
    <section className="stack" aria-labelledby="running">
      <h2 id="running">Schedule</h2>
      <ButtonLink to={link({ preview: 'true' })} variant="soft" preventScrollReset>
        Who gets what, when
      </ButtonLink>
      {mayEdit
        ? OFFERED[status].map((step) => (
            <ButtonLink key={step} to={link({ ask: step })} variant="soft" color="gray" preventScrollReset>
              {WORDS[step]}
            </ButtonLink>
          ))
        : null}
    </section>
  )
}

const QUESTIONS: Record<Step, { message: string; variant: DialogVariant }> = {
  pause: {
    message: 'Nothing is sent until it goes on. What was sent can still be answered.',
    variant: 'warning',
  },
  resume: {
    message: 'Everything that waited moves by the length of the pause; the gaps stay.',
    variant: 'info',
  },
  complete: {
    message:
      'What has not been sent is cancelled. What was sent takes answers for the days that the journey’s details name; then its lifts close. Answers stay. This cannot be undone.',
    variant: 'error',
  },
  archive: {
    message:
      'Its lifts close at once, and its figures stay as they are. Learners can go on reading what they had. This cannot be undone.',
    variant: 'error',
  },
}

type Asked = { ask: Step; name: string; status: JourneyStatus; cancelHref: string }

export function ConfirmStep({ ask, name, status, cancelHref }: Asked) {
  if (!OFFERED[status].includes(ask)) return null
  if (ask === 'resume') return <ConfirmResume name={name} cancelHref={cancelHref} />
  const { message, variant } = QUESTIONS[ask]
  return (
    <ConfirmDialog
      title={`${WORDS[ask]} ${name}?`}
      message={message}
      continueText={`Yes, ${ask}`}
      cancelHref={cancelHref}
      variant={variant}
      fields={{ intent: ask }}
    />
  )
}

function ConfirmResume({ name, cancelHref }: { name: string; cancelHref: string }) {
  return (
    <ConfirmDialog
      title={`Resume ${name}?`}
      message={
        <>
          What fell into the pause:{' '}
          <label className="choice">
            <input type="radio" name="mode" value="shift" defaultChecked /> comes later, and all after it (the
            gaps stay)
          </label>{' '}
          <label className="choice">
            <input type="radio" name="mode" value="skip" /> is left out
          </label>
        </>
      }
      continueText="Yes, resume"
      cancelHref={cancelHref}
      fields={{ intent: 'resume' }}
    />
  )
}
