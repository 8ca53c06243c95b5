/** A page about one journey, with tabs to its other pages. */
import { useLocation } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { Journey } from '#app/domain/journeys/journey.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Link } from '#app/ui/link.tsx'
import { Page } from '#app/ui/page.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import { JourneyBadge } from './journey-badge.tsx'

type Shown = Pick<Journey, 'id' | 'name' | 'status'>
type JourneyPageProps = { journey: Shown; title: string; action?: ReactNode; children: ReactNode }

export function JourneyPage({ journey, title, action, children }: JourneyPageProps) {
  return (
    <Page
      title={title}
      lead={
        <>
          <JourneyBadge status={journey.status} />{' '}
          <Link to={`/lljs/${journey.id}/schedule`}>{isolated(journey.name)}</Link>
        </>
      }
      action={action}
    >
      <JourneyTabs journey={journey} />
      {children}
    </Page>
  )
}

const TABS = {
  schedule: 'Schedule',
  people: 'Participants',
  objectives: 'Objectives',
  'assessments/': 'Assessments',
  details: 'Details',
}

export function JourneyTabs({ journey: { id, status } }: { journey: Pick<Journey, 'id' | 'status'> }) {
  const { pathname } = useLocation()
  // Links and people also omit the trailing slash of the assessments' URL.
  const isAbove = (page: string) =>
    page === 'schedule' ? /\/lifts\//.test(pathname) : `${pathname}/`.endsWith(`/${page}`)
  const tabs = Object.entries(TABS).map(([page, label]) => ({
    to: `/lljs/${id}/${page}`,
    label,
    isAbove: isAbove(page),
  }))
  const figures = { to: `/analytics?journey=${id}`, label: 'Analytics' }
  return <Tabs label="Journey" tabs={status === 'draft' ? tabs : [...tabs, figures]} />
}
