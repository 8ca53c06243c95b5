import { createElement as h } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { WhenToSend } from './when-to-send.tsx'

const journey = { default_send_time: '09:00', timezone_mode: 'recipient', timezone: 'UTC' }
const waiting = { learners: 3, emails: 1, texts: 0, texts_waiting: 2, in_app: 0, asleep: 2 }
const untexted = { without_number: 0, without_consent: 0, without_zone: 0, is_estimate: false }

it('The launch form gives no hour for waiting texts, which go later where the time zone is unknown', () => {
  const props = { journey, at_launch: 1, startsOn: null, forecast: { ...waiting, ...untexted } }
  const said = renderToStaticMarkup(h(WhenToSend, props as Parameters<typeof WhenToSend>[0]))
  expect(said).toContain(
    '1 message goes out now: 1 e-mail; 2 texts wait until quiet hours end; 2 of 3 people are',
  )
})
