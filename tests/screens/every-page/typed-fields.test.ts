/** Text fields state whether they are required and how long their text can be, also without JavaScript. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html } from '#tests/screens/journeys/authoring-world.ts'
import { openSponsors } from '#tests/screens/journeys/sponsors-world.ts'

let world: Awaited<ReturnType<typeof openSponsors>>
beforeAll(async () => {
  world = await openSponsors({
    short: { kind: 'short_text', visibility: 'sponsor', required: false },
    long: { kind: 'long_text', visibility: 'sponsor' },
    will: { kind: 'commitment', visibility: 'sponsor' },
    scale: { kind: 'scale', visibility: 'sponsor' },
  })
}, 120_000)
afterAll(() => world?.close())

const limits = (page: string) =>
  [...page.matchAll(/field-counter">up to ([\d,]+) characters</g)].map(([, limit]) => limit)
const required = (page: string) =>
  [...page.matchAll(/>([^<>]+)<span class="required-mark"/g)].map(([, label]) => label)

describe('Text fields', () => {
  it('on a lift show which of them are required, and how long their text can be', async () => {
    const page = await html(await world.visitor('uri'), `/lift/${world.made.lift}`)
    expect(required(page)).toEqual(['long?', 'will?', 'scale?'])
    expect(page).toMatch(/short\?<span class="lift-quiet"> \(optional\)/)
    expect(limits(page)).toEqual(['300', '5,000', '500'])
  })

  it('for a new e-mail address or phone number show that they are required, and their limits', async () => {
    const page = await html(await world.visitor('uri'), '/settings/contact')
    expect(required(page)).toEqual(['New e-mail address', 'Your password', 'Phone number', 'Your password'])
    expect(limits(page)).toEqual(['254', '40'])
  })

  it('for the phone number of another person are optional, and show their limit', async () => {
    const page = await html(await world.visitor('adam'), '/users/add')
    expect(required(page)).not.toContain('Mobile phone')
    expect(page).toMatch(/Mobile phone<\/label><span class="field-counter">up to 40 characters/)
  })

  it('for words to a learner show that they are required, and their limit', async () => {
    const learner = `/sponsors-journey/${world.made.id}?learner=${world.idOf('uri')}`
    const page = await html(await world.visitor('sam'), learner)
    expect(page).toMatch(/for="words">A few words to [^>]*<span class="required-mark"/)
    expect(limits(page)).toHaveLength(1)
  })
})
