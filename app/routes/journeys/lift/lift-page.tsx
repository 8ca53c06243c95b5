/** A page about one lift: its form on the left, the preview of a phone on the right or below. */
import type { ReactNode } from 'react'
import type { Journey } from '#app/domain/journeys/journey.ts'
import type { Lift } from '#app/domain/lifts/lift.ts'
import { Link } from '#app/ui/link.tsx'
import { JourneyPage } from '../journey-page.tsx'
import { isSendable } from '../sendable.ts'
import { useLiftAddress } from './address.ts'
import type { LiftPreviewPage } from './lift-preview.server.ts'
import { LiftPreview } from './lift-preview.tsx'

type LiftPageProps = {
  journey: Journey
  lift: Lift | null
  preview: LiftPreviewPage | null
  title: string
  children: ReactNode
}

export function LiftPage({ journey, lift, preview, title, children }: LiftPageProps) {
  return (
    <JourneyPage journey={journey} title={title}>
      <div className="lift-page">
        <div>{children}</div>
        {lift && preview ? <LiftPreview page={preview} message={lift.sms_text} /> : null}
      </div>
    </JourneyPage>
  )
}

/** Further actions on a saved lift. */
export function LiftActions({ journey, lift }: { journey: Journey; lift: Lift }) {
  const { to } = useLiftAddress()
  const deletion = to('delete')
  return (
    <p className="row-actions">
      <Link to={`/lift/t/${lift.id}`} target="_blank">
        Open the test page
      </Link>
      <Link to={to('test')}>Send a test</Link>
      {isSendable(journey, lift) ? <Link to={to('send')}>Send now</Link> : null}
      <Link className="dangerous" to={`${deletion}${deletion.includes('?') ? '&' : '?'}from=lift`}>
        Delete
      </Link>
    </p>
  )
}
