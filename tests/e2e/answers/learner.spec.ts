import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { closeLift, makeNew } from '../behind-the-scenes.ts'
import { importJourney, launchForUri } from '../journeys/launch-journey.ts'
import { logOut, settled, signIn, signInAnew } from '../people.ts'
import { test } from '../product.ts'

const lift = (title: string, question: string, when: string) => `# Lift: ${title}

~~~settings
sms_text: "Hi {{first_name}}: {{link}}"
schedule:
  ${when}
status: ready
~~~

Some text.

~~~question
kind: long_text
text: ${question}
~~~
`
const fileOf = (name: string) => `---
liftwell: 1
name: ${name}
category: Safety
---

${lift('First thoughts', 'What did you hear?', 'kind: manual\n  at_launch: true')}
${lift('Second thoughts', 'What did you miss?', 'kind: manual\n  at_launch: false')}`

const QUESTION = 'What did you hear?'
const TYPED = 'A long thought,\ntyped on a train.'

test('a learner’s typed answer survives a lost connection or session, and the page names the next lift', async ({
  browser,
  contextOptions,
  javaScriptEnabled,
  baseURL,
}, info) => {
  const options = { ...contextOptions, javaScriptEnabled, ...(baseURL && { baseURL }) }
  const journey = `Trains ${info.project.name} ${Date.now()}`
  const adam = await visitAs(browser, options, 'adam@northwind.example')
  await launchForUri(adam, await importJourney(adam, fileOf(journey)))

  const uri = await visitAs(browser, options, 'uri@northwind.example')
  await uri.goto('/learner')
  await expect(uri.getByRole('heading', { name: 'Waiting for you' })).toBeVisible()
  await expect(uri.getByRole('row').filter({ hasText: journey })).toContainText('Second thoughts, later')
  if (javaScriptEnabled !== false) await preloadsAllButLifts(uri, journey)
  await uri.getByRole('listitem').filter({ hasText: journey }).getByRole('link').click()
  await settled(uri)
  const address = uri.url()

  if (javaScriptEnabled === false) await sendAfterTheSession(uri)
  else await sendAfterTheConnection(uri)

  await expect(uri.getByText('Your answer:')).toBeVisible()
  await expect(uri.getByText('A long thought,')).toHaveCSS('white-space', 'pre-line')
  await expect(uri.getByText('Next: Second thoughts, later.')).toBeVisible()
  await uri.goto(address)
  await settled(uri)
  await expect(uri.getByText(/is back/)).toHaveCount(0)
  if (javaScriptEnabled === false) return
  expect(await drafts(uri)).toEqual([])
  await dismissWhatCameTooLate(uri, address)
})

/** An answer typed while the lift closes can be copied, until the learner dismisses it. */
async function dismissWhatCameTooLate(page: Page, address: string): Promise<void> {
  await page.getByRole('link', { name: 'Change my answer' }).click()
  await page.getByRole('textbox', { name: QUESTION }).fill('Too late.')
  await closeLift(/\d+$/.exec(new URL(address).pathname)?.[0])
  await page.goto(address)
  const words = page.getByLabel('What you wrote')
  await expect(words).toHaveValue('Too late.')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(words).toHaveCount(0)
  expect(await drafts(page)).toEqual([])
}

/** Preloading on focus must not count as opening a lift. */
async function preloadsAllButLifts(page: Page, journey: string): Promise<void> {
  await settled(page)
  const loading = (what: string) => page.locator(`link[rel="prefetch"][href*="${what}"]`)
  await page.getByRole('listitem').filter({ hasText: journey }).getByRole('link').focus()
  await page.waitForTimeout(300)
  await expect(loading('/lift/')).toHaveCount(0)
  await page.getByRole('row').filter({ hasText: journey }).getByRole('link').focus()
  await expect(loading('/learner.data')).toHaveCount(1)
}

/** With scripts: the page is reloaded, the connection drops, and another person's draft is on the device. */
async function sendAfterTheConnection(page: Page): Promise<void> {
  const words = page.getByLabel(QUESTION)
  const left = page.getByText(`${(5000 - TYPED.length).toLocaleString('en-US')} left`)
  await words.fill(TYPED)
  await expect(left).toBeVisible()
  await page.reload()
  await settled(page)
  await expect(words).toHaveValue(TYPED)
  await expect(left).toBeVisible()
  await expect(page.getByText('We restored what you typed. It hasn’t been sent yet.')).toBeVisible()

  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Answer' }).click()
  await expect(page.getByText('There is no connection, so nothing was sent.', { exact: false })).toBeVisible()
  await expect(words).toHaveValue(TYPED)
  await page.context().setOffline(false)

  // Another person's draft is deleted from this device.
  await page.evaluate(() => localStorage.setItem('liftwell-draft:999999:1', '{}'))
  expect(await drafts(page)).toHaveLength(2)
  await page.reload()
  await settled(page)
  expect(await drafts(page)).toHaveLength(1)
  await sendByKeyboard(page)
}

/** Without scripts: the form is sent after the session has ended. */
async function sendAfterTheSession(page: Page): Promise<void> {
  const context = page.context()
  const cookies = await context.cookies()
  await page.getByLabel(QUESTION).fill(TYPED)
  await context.clearCookies()
  await page.getByRole('button', { name: 'Answer' }).click()
  await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible()
  await context.addCookies(cookies)
  await page.getByRole('button', { name: 'Send it now' }).click()
}

async function sendByKeyboard(page: Page): Promise<void> {
  await page.locator('body').press('Tab')
  for (let steps = 0; steps < 6; steps++) {
    const { name, outline } = await page.evaluate(() => {
      const focused = document.activeElement
      const style = focused ? getComputedStyle(focused) : undefined
      return { name: focused?.textContent, outline: `${style?.outlineStyle} ${style?.boxShadow}` }
    })
    expect([name, outline]).not.toEqual([name, 'none none'])
    if (name === 'Answer') break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
}

const drafts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('liftwell-draft:')))

test('logging out deletes the drafts that the browser kept', async ({ page, javaScriptEnabled }) => {
  test.skip(javaScriptEnabled === false, 'Only scripts keep anything.')
  await signIn(page, 'uri@northwind.example')
  await page.evaluate(() => localStorage.setItem('liftwell-draft:1:1', '{}'))
  await logOut(page)
  expect(await drafts(page)).toEqual([])
})

test('a new learner’s time zone is filled in from the browser, or asked for without JavaScript', async ({
  browser,
  contextOptions,
  javaScriptEnabled,
  baseURL,
}) => {
  await makeNew('ravi@testing.example')
  const options = { ...contextOptions, javaScriptEnabled, ...(baseURL && { baseURL }) }
  const ravi = await visitAs(browser, { ...options, timezoneId: 'Asia/Kolkata' }, 'ravi@testing.example')
  await expect(ravi).toHaveURL(/verify=true/)
  await settled(ravi)
  const zone = ravi.getByLabel('Time zone')
  if (javaScriptEnabled === false) {
    await expect(ravi.getByText('Please choose yours.')).toBeVisible()
    await zone.selectOption('Asia/Kolkata')
  } else await expect(ravi.getByText('Filled in from your browser: Asia/Kolkata.')).toBeVisible()
  await expect(zone).toHaveValue('Asia/Kolkata')
  await ravi.getByLabel('I have read and accept the terms and conditions').check()
  await ravi.getByRole('button', { name: 'Save and continue' }).click()
  await ravi.waitForURL((url) => url.pathname === '/')
  await ravi.goto('/settings/profile')
  await expect(zone).toHaveValue('Asia/Kolkata')
})

async function visitAs(browser: Browser, options: BrowserContextOptions, email: string): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  await signInAnew(page, email)
  return page
}
