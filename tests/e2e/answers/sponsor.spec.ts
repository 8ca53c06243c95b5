import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { makeItDayFor, messageSaying } from '../behind-the-scenes.ts'
import { settled, signIn } from '../people.ts'
import { test } from '../product.ts'

const fileOf = (name: string) => `---
liftwell: 1
name: ${name}
category: Safety
---

# Lift: Ask first

~~~settings
sms_text: "Hi {{first_name}}: {{link}}"
schedule:
  kind: manual
  at_launch: true
status: ready
~~~

Ask **one** more question.

~~~question
kind: short_text
text: What will you ask?
visibility: sponsor
scoring: sponsor
max_score: 10
~~~
`

test('a sponsor opens the page from the mail, encourages the learner and scores the answer', async ({
  browser,
  contextOptions,
  javaScriptEnabled,
  baseURL,
}, info) => {
  const options = { ...contextOptions, javaScriptEnabled, ...(baseURL && { baseURL }) }
  const journey = `Asking ${info.project.name} ${Date.now()}`
  await makeItDayFor('sam@northwind.example')
  const adam = await visitAs(browser, options, 'adam@northwind.example')
  await prepare(adam, journey)

  const mail = await messageSaying('sam@northwind.example', journey)
  expect(mail).toContain('Uri')
  const [, path = ''] = /(\/sponsors-journey\/\d+)/.exec(mail) ?? []

  const uri = await visitAs(browser, options, 'uri@northwind.example')
  await uri.goto('/todo')
  await uri.getByRole('row').filter({ hasText: journey }).getByRole('link', { name: 'Ask first' }).click()
  await settled(uri)
  await uri.getByLabel('What will you ask?').fill('Why not?')
  await uri.getByRole('button', { name: 'Answer' }).click()
  await expect(uri.getByText('Your sponsor scores this answer.')).toBeVisible()

  const sam = await visitAs(browser, options, 'sam@northwind.example')
  await expect(sam.getByRole('link', { name: 'Your learners' }).first()).toBeVisible()
  await sam.goto(path)
  await expect(sam.getByText('1 answer to score')).toBeVisible()
  await sam.getByRole('link', { name: /^Uri/ }).click()
  await settled(sam)
  await sam.getByLabel(/^A few words to Uri/).fill('Well asked. Try it today.')
  await sam.getByRole('button', { name: 'Send encouragement' }).click()
  await expect(sam.getByText(/^You wrote to Uri .* today/)).toBeVisible()
  await expect(sam.getByText('Why not?')).toBeVisible()

  await sam.getByRole('link', { name: /^Score/ }).click()
  await settled(sam)
  await sam.getByLabel('Points, 0 to 10').fill('8')
  await sam.getByLabel('Comment').fill('A good question.')
  await sam.getByRole('button', { name: 'Save score' }).click()
  await expect(sam.getByText('8 of 10')).toBeVisible()

  await uri.reload()
  await expect(uri.getByText('Score: 8 of 10')).toBeVisible()
  await expect(uri.getByText('A good question.')).toBeVisible()
})

async function visitAs(browser: Browser, options: BrowserContextOptions, email: string): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  await signIn(page, email)
  return page
}

/** A running journey in which Uri is the learner, and Sam is his sponsor. */
async function prepare(adam: Page, journey: string): Promise<void> {
  await adam.goto('/lljs/manage/import')
  await settled(adam)
  await adam.getByLabel('Or paste its text').fill(fileOf(journey))
  await adam.getByRole('button', { name: 'Check the file' }).click()
  await adam.getByRole('button', { name: 'Create the draft' }).click()
  await adam.waitForURL(/\/lljs\/\d+\/schedule/)
  const schedule = new URL(adam.url()).pathname
  await adam.goto(`${schedule.replace('schedule', 'people/add')}?who=uri`)
  await settled(adam)
  await adam.getByLabel(/^Uri /).check()
  await adam.getByRole('button', { name: 'Add learners' }).click()
  await adam.getByRole('link', { name: /^Edit Uri/ }).click()
  await settled(adam)
  await adam.getByLabel('Sponsor').fill('sam@northwind.example')
  await adam.getByRole('button', { name: 'Save participant' }).click()
  await expect(adam.getByText(/sponsor: Sam/)).toBeVisible()
  await adam.goto(schedule)
  await settled(adam)
  await adam.getByRole('link', { name: 'Launch', exact: true }).click()
  await adam.getByLabel(/^Now: /).check()
  await adam.getByRole('button', { name: 'Yes, launch' }).click()
  await expect(adam.getByText('Active').first()).toBeVisible()
}
