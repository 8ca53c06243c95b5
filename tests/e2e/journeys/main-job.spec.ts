import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { makeNew } from '../behind-the-scenes.ts'
import { settled, signIn, signInAnew } from '../people.ts'
import { test } from '../product.ts'

/** Each run of the story has its own learner. */
const LEARNERS: Record<string, { email: string; name: string }> = {
  'with-javascript': { email: 'lena@testing.example', name: 'Lena' },
  'without-javascript': { email: 'ravi@testing.example', name: 'Ravi' },
}

test('an author creates a journey, a learner answers its lift, and analytics count the answer', async ({
  browser,
  contextOptions,
  javaScriptEnabled,
  baseURL,
}, info) => {
  const learner = LEARNERS[info.project.name] ?? { email: '', name: '' }
  const journey = `Quick start ${info.project.name} ${Date.now()}`
  const as = (email: string) =>
    visitAs(browser, { ...contextOptions, javaScriptEnabled, ...(baseURL && { baseURL }) }, email)

  const tess = await as('tess@testing.example')
  await createJourney(tess, journey)
  await addLift(tess, 'One good question')
  await addLearners(tess, ['Lena Hoffmann', 'Ravi Menon'])
  await tess.getByRole('link', { name: 'Launch', exact: true }).click()
  await expect(tess.getByText('2 learners will take part')).toBeVisible()
  await tess.getByLabel(/^Now: /).check()
  await tess.getByRole('button', { name: 'Yes, launch' }).click()
  await expect(tess.getByText('Active').first()).toBeVisible()
  const journeyId = /\/lljs\/(\d+)\//.exec(tess.url())?.[1] ?? ''

  const address = await readLink(await as('sofia@liftwell.example'), learner.email, journey)

  const context = await browser.newContext({
    ...contextOptions,
    javaScriptEnabled,
    ...(baseURL && { baseURL }),
  })
  const phone = await context.newPage()
  await phone.setViewportSize({ width: 390, height: 844 })
  await makeNew(learner.email)
  await phone.goto(address)
  await expect(phone).toHaveURL(/\/login/)
  await signIn(phone, learner.email)
  await expect(phone).toHaveURL(/\/settings\/profile\?verify=true/)
  await settled(phone)
  await phone.getByLabel('I have read and accept the terms and conditions').check()
  await phone.getByRole('button', { name: 'Save and continue' }).click()
  await phone.waitForURL((url) => url.pathname === new URL(address).pathname)
  await expect(phone.getByRole('heading', { name: 'One good question' })).toBeVisible()
  await expect(phone.locator('strong').filter({ hasText: 'three minutes' })).toBeVisible()
  await settled(phone)
  await phone.getByLabel('The same day').check()
  await phone.getByRole('button', { name: 'Answer' }).click()
  await expect(phone.getByText('That is when it sticks.')).toBeVisible()
  await phone.reload()
  await expect(phone.getByText('That is when it sticks.')).toBeVisible()

  await tess.goto(`/analytics?journey=${journeyId}`)
  await expect(tess.getByText('1 of 2').first()).toBeVisible()
})

async function visitAs(browser: Browser, options: BrowserContextOptions, email: string): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  await signInAnew(page, email)
  return page
}

async function createJourney(page: Page, name: string): Promise<void> {
  await page.goto('/lljs/manage/new')
  await settled(page)
  await page.getByLabel('Name', { exact: false }).last().fill(name)
  await page.getByLabel('Category').last().selectOption('Try-outs')
  await page.getByRole('button', { name: 'Create journey' }).click()
  await page.waitForURL(/\/lljs\/\d+\/schedule/)
  await page.goto(page.url().replace(/\?.*/, ''))
}

async function addLift(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: 'Add lift' }).first().click()
  await settled(page)
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Text', { exact: true }).fill('It takes **three minutes**.')
  await page.getByLabel('Question', { exact: true }).fill('When is a good moment?')
  await page.getByLabel('Answer 1', { exact: true }).fill('The same day')
  await page.getByLabel('Feedback 1').fill('That is when it sticks.')
  await page.getByLabel('Answer 2', { exact: true }).fill('Next month')
  await page.getByLabel('Feedback 2').fill('Too late.')
  await page.getByLabel('Right: Answer 1').check()
  await page.getByLabel('This lift is ready').check()
  await page.getByRole('button', { name: 'Save lift' }).click()
  await expect(page.getByRole('link', { name: title, exact: true })).toBeVisible()
}

async function addLearners(page: Page, names: readonly string[]): Promise<void> {
  await page.getByRole('link', { name: 'Participants', exact: true }).click()
  await page.getByRole('link', { name: 'Add participants' }).click()
  await settled(page)
  for (const name of names) await page.getByLabel(name).check()
  await page.getByRole('button', { name: 'Add learners' }).click()
  await expect(page.getByRole('heading', { name: `Participants (${names.length})` })).toBeVisible()
  await page.getByRole('link', { name: 'Schedule', exact: true }).click()
  await expect(page.getByRole('link', { name: `${names.length} learners`, exact: true })).toBeVisible()
}

/** The learner's message, as a super admin inside the testing tenant sees it. */
async function readLink(sofia: Page, recipient: string, journey: string): Promise<string> {
  await settled(sofia)
  const row = sofia.getByRole('row').filter({ hasText: 'Liftwell Testing' })
  await row.getByRole('link', { name: 'Go to the Platform' }).click()
  await settled(sofia)
  await sofia.getByLabel('Reason').fill('Reading what was sent')
  await sofia.getByRole('button', { name: 'Go to the Platform' }).click()
  await sofia.waitForURL((url) => url.pathname === '/')
  await expect(sofia.getByText('Testing Tenant').filter({ visible: true }).first()).toBeVisible()
  await expect(async () => {
    await sofia.goto(`/testing/messages?q=${encodeURIComponent(recipient)}`)
    await expect(sofia.getByText(journey).first()).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 30_000 })
  const message = sofia.getByRole('row').filter({ hasText: journey }).first()
  return (await message.getByRole('link').first().getAttribute('href')) ?? ''
}
