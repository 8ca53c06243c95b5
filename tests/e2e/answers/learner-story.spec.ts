import { randomUUID } from 'node:crypto'
import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { tellText } from '#tests/fakes/twilio-hook.ts'
import { makeItDayFor, makeNew, messageSaying, withTextsAndLinks } from '../behind-the-scenes.ts'
import { expectClean, expectNoWider } from '../clean.ts'
import { settled, signIn } from '../people.ts'
import { test } from '../product.ts'

const settings = (at_launch: boolean) => `~~~settings
sms_text: "Hi {{first_name}}, {{journey}}: {{link}}"
schedule:
  kind: manual
  at_launch: ${at_launch}
status: ready
~~~`
const fileOf = (name: string) => `---
liftwell: 1
name: ${name}
category: Try-outs
---

# Lift: Listen first

${settings(true)}

Some text.

~~~question
kind: single_choice
text: What comes first?
options:
  - id: a
    text: Listening
    correct: true
    feedback: Right, always.
  - id: b
    text: Talking
    correct: false
scoring: auto
~~~

~~~question
kind: ranking
text: Put them in order.
options:
  - id: x
    text: Ask
  - id: y
    text: Wait
~~~

# Lift: Promise

${settings(false)}

~~~question
kind: commitment
text: What will you do?
~~~

# Lift: Quick check

${settings(false)}

~~~question
kind: scale
text: How well did ${name} go?
visibility: sponsor
~~~
`

/** Each run of the story has its own learner. */
const LEARNERS: Record<string, { email: string; number: string; name: string }> = {
  'with-javascript': { email: 'lena@testing.example', number: '+14155550151', name: 'Lena' },
  'without-javascript': { email: 'ravi@testing.example', number: '+14155550152', name: 'Ravi' },
}

test('a learner opens a text’s link, accepts the terms, answers, commits, replies by text and sends STOP', async ({
  browser,
  contextOptions,
  javaScriptEnabled,
  baseURL,
}, info) => {
  test.slow()
  const options = { ...contextOptions, javaScriptEnabled, ...(baseURL && { baseURL }) }
  const { email, number, name } = LEARNERS[info.project.name] ?? { email: '', number: '', name: '' }
  const journey = `Story ${info.project.name} ${Date.now()}`
  await makeNew(email)
  await makeItDayFor(email)
  const phone = await (await browser.newContext(options)).newPage()
  const tess = await visitAs(browser, options, 'tess@testing.example')
  await withTextsAndLinks(email, number, async () => {
    await prepare(tess, journey, name)

    // The learner opens the link of the text.
    const text = await messageSaying(number, journey)
    const address = /https?:\S+/.exec(text)?.[0] ?? ''
    await phone.setViewportSize({ width: 390, height: 844 })
    await phone.goto(address)
    await settled(phone)
    await expect(phone.getByText('signs you in once, until')).toBeVisible()
    await expectGood(phone, 'the way in')
    await phone.getByRole('button', { name: `Continue as ${name}` }).click()

    // The screen asks for the terms only.
    await expect(phone).toHaveURL(/\/settings\/profile\?verify=true/)
    await settled(phone)
    await expect(phone.getByLabel('First name')).toHaveCount(0)
    await expectGood(phone, 'the terms')
    await phone.getByLabel('I have read and accept the terms and conditions').check()
    await phone.getByRole('button', { name: 'Save and continue' }).click()
    await phone.waitForURL((url) => url.pathname === new URL(address).pathname)
    await settled(phone)

    // The learner answers by keyboard, and reads the feedback.
    await answerByKeyboard(phone)
    await expect(phone.getByText('Right, always.')).toBeVisible()
    await expect(phone.getByText('1. Wait, 2. Ask')).toBeVisible()

    // The next lift asks for a commitment.
    await sendNow(tess, 'Promise')
    await phone.reload()
    await phone.getByRole('link', { name: 'Open it' }).click()
    await expect(phone.getByRole('heading', { name: 'Promise' })).toBeVisible()
    await settled(phone)
    await phone.getByLabel('I will').fill('call Bob at Acme')
    await phone.getByLabel('by', { exact: true }).fill(inDays(3))
    await phone.getByRole('button', { name: 'Answer' }).click()
    await expect(phone.getByText('Done.')).toBeVisible()
    await phone.goto('/todo')
    await expect(phone.getByText('call Bob at Acme').first()).toBeVisible()

    // A text asks a question, and the learner answers by a reply.
    await sendNow(tess, 'Quick check')
    const asked = await messageSaying(number, `How well did ${journey} go?`)
    expect(asked).toContain('Reply with a number from 1 to 5.')
    await reply(number, 'great')
    await messageSaying(number, 'That did not answer "Quick check".')
    await reply(number, '4')
    await messageSaying(number, 'For "Quick check" we understood: 4 of 5.')
    await phone.goto(/https?:\S+?\/lift\/\d+/.exec(asked)?.[0] ?? '')
    await expect(phone.getByText('4 of 5').first()).toBeVisible()

    await reply(number, 'STOP')
    await messageSaying(number, 'You will get no texts from us.')
  })
})

async function expectGood(page: Page, what: string): Promise<void> {
  await expectNoWider(page, what, 390)
  if (test.info().project.name === 'with-javascript') await expectClean(page, what)
}

async function reply(From: string, Body: string): Promise<void> {
  const origin = process.env.E2E_ORIGIN ?? ''
  expect(await tellText(origin, origin, { From, Body, MessageSid: `SM${randomUUID()}` })).toBe(200)
}

async function sendNow(author: Page, title: string): Promise<void> {
  const schedule = new URL(author.url()).pathname.replace(/\/schedule.*/, '/schedule')
  await author.goto(schedule)
  await settled(author)
  const edit = await author.getByRole('link', { name: title, exact: true }).first().getAttribute('href')
  const lift = /\/lifts\/\d+/.exec(edit ?? '')?.[0]
  await author.goto(`${schedule.replace('/schedule', '')}${lift}/send`)
  await settled(author)
  await author.getByRole('button', { name: 'Send it now' }).click()
  await expect(author.getByText('On its way to 1 person')).toBeVisible()
}

async function answerByKeyboard(page: Page): Promise<void> {
  await page.getByLabel('Listening').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  for (const place of ['2', '1']) {
    const focused = await page.evaluate(() => {
      const choice = document.activeElement?.closest('.lift-choice')
      return [document.activeElement?.tagName, choice && getComputedStyle(choice).outlineStyle]
    })
    expect(focused).toEqual(['SELECT', 'solid'])
    await page.keyboard.press(place)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

async function visitAs(browser: Browser, options: BrowserContextOptions, email: string): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  await signIn(page, email)
  return page
}

async function prepare(author: Page, journey: string, learner: string): Promise<void> {
  await author.goto('/lljs/manage/import')
  await settled(author)
  await author.getByLabel('Or paste its text').fill(fileOf(journey))
  await author.getByRole('button', { name: 'Check the file' }).click()
  await expect(author.getByText('No problems in this file.')).toBeVisible()
  await settled(author)
  await author.getByRole('button', { name: 'Create the draft' }).click()
  await author.waitForURL(/\/lljs\/\d+\/schedule/)
  const schedule = new URL(author.url()).pathname
  await author.goto(`${schedule.replace('schedule', 'people/add')}?who=${learner.toLowerCase()}`)
  await settled(author)
  await author.getByLabel(new RegExp(`^${learner} `)).check()
  await author.getByRole('button', { name: 'Add learners' }).click()
  await expect(author.getByRole('heading', { name: 'Participants (1)' })).toBeVisible()
  await author.goto(schedule)
  await settled(author)
  await author.getByRole('link', { name: 'Launch', exact: true }).click()
  await author.getByLabel(/^Now: /).check()
  await author.getByRole('button', { name: 'Yes, launch' }).click()
  await expect(author.getByText('Active').first()).toBeVisible()
}
