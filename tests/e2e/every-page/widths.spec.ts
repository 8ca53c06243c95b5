/** However long people's texts are, they make no page wider than its window. */
import { expect, type Page } from '@playwright/test'
import { mailHtml } from '#app/integrations/mail/mail-html.ts'
import { expectFits, expectNoWider } from '../clean.ts'
import { importJourney, launchForUri } from '../journeys/launch-journey.ts'
import { settled, signIn, signInAnew } from '../people.ts'
import { test } from '../product.ts'

const ADDRESS = 'https://intranet.example.com/learning/handbook/chapter-4-feedback'
const WORD = 'Donaudampfschifffahrtsgesellschaftskapitänsmütze'
const NAME = 'N'.repeat(120)

const fileOf = (name: string, title: string) => `---
liftwell: 1
name: ${name}
category: Safety
---

# Lift: ${title}

~~~settings
sms_text: "Read it: {{link}}"
schedule:
  kind: manual
  at_launch: true
status: ready
~~~

Read ${ADDRESS} first.

~~~question
kind: single_choice
text: ${ADDRESS}
options:
  - id: a
    text: ${ADDRESS}
    correct: true
  - id: b
    text: Elsewhere
    correct: false
scoring: auto
~~~

~~~question
kind: long_text
text: What does ${ADDRESS} say?
~~~
`

test('links in lists are large enough for a finger', async ({ page, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, 'scripts change nothing about sizes')
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, 'adam@northwind.example')
  for (const path of ['/users', '/lljs/manage', '/subtenants', '/users/groups', '/settings/audit']) {
    await page.goto(path)
    const small = await page
      .locator('tbody :is(a, summary)')
      .evaluateAll((all) =>
        all.filter((one) => one.getBoundingClientRect().height < 39).map((one) => one.outerHTML),
      )
    expect([path, small]).toEqual([path, []])
  }
})

test('the tabs of your own pages stand in one line on a phone', async ({ page, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, 'scripts change nothing about sizes')
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, 'adam@northwind.example')
  await page.goto('/settings/profile')
  const tabs = page.locator('.tab')
  await expect(tabs).toHaveCount(5)
  const tops = await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top))
  expect(new Set(tops).size).toBe(1)
})

test.describe('long words', () => {
  test.skip(({ javaScriptEnabled }) => !javaScriptEnabled, 'scripts change nothing about widths')

  test('fit into the pages of a journey', async ({ page }) => {
    await signIn(page, 'adam@northwind.example')
    for (const [name, title] of [
      [WORD, WORD],
      [NAME, 'L'.repeat(80)],
    ] as const) {
      const journey = await importJourney(page, fileOf(name, title))
      const test = await page.locator('a[href^="/lift/t/"]').first().getAttribute('href')
      const lift = test?.split('/').at(-1)
      for (const path of [
        `/lift/t/${lift}`,
        ...['schedule', `lifts/${lift}`, `lifts/${lift}/delete`, 'learner', 'people', 'details'].map(
          (part) => `${journey}/${part}`,
        ),
        ...['schedule/preview', 'schedule/launch', 'objectives', 'assessments/'].map(
          (part) => `${journey}/${part}`,
        ),
        '/lljs/manage',
        '/settings/audit',
        '/',
      ]) {
        await page.goto(path)
        await expectFits(page, path, 390, 1000, 1280)
      }
      await launchForUri(page, journey)
    }
    await page.goto('/analytics/explain?figure=response&outcome=no&q=uri')
    for (const name of [WORD, NAME])
      await expect(page.getByRole('cell').getByText(name).first()).toBeVisible()
    await expectFits(page, 'Behind a figure', 390, 1000, 1100, 1280)
    await expectMistakesWithin(page)
  })

  test('fit into the pages that name a person in a sentence', async ({ page }) => {
    await signIn(page, 'adam@northwind.example')
    const before = await rename(page, NAME.slice(0, 80))
    await page.goto('/lljs/2/people')
    const row = page.getByRole('listitem').filter({ hasText: 'uri@northwind.example' })
    const member = await row.getByRole('link', { name: /^Edit/ }).getAttribute('href')
    const reports = '/analytics?type=by_user&journey=1&user=4'
    for (const path of [member ?? '', `${member}/remove`, reports, '/users/edit/4']) {
      await page.goto(path)
      await expectFits(page, path, 390, 1280)
    }
    await page.context().clearCookies()
    await signIn(page, 'sam@northwind.example')
    await page.goto('/sponsors-journey/1?learner=4')
    await expect(page.getByRole('button', { name: 'Send encouragement' })).toBeVisible()
    await expectFits(page, 'a learner of a sponsor', 390, 1280)
    await page.context().clearCookies()
    await signIn(page, 'adam@northwind.example')
    await rename(page, before)
  })

  test('fit into the banner that names the company to a super admin', async ({ page }) => {
    await signInAnew(page, 'sofia@liftwell.example')
    await page.goto('/switch')
    await settled(page)
    await page.getByRole('radio', { name: 'Harbor Health' }).check()
    await page.getByLabel('Reason').fill('Its name')
    await page.getByRole('button', { name: 'Go to the Platform', exact: true }).click()
    await page.waitForURL((url) => url.pathname === '/')
    for (const name of [NAME, 'Harbor Health']) {
      await page.goto('/settings/company')
      await settled(page)
      await page.getByRole('textbox', { name: /^Name/ }).fill(name)
      await page.getByRole('button', { name: 'Save settings' }).click()
      await expect(page.locator('.banner strong')).toHaveText(name)
      await expectFits(page, 'inside a company', 390)
    }
  })
})

test('long names in an e-mail fit the width of a phone', async ({ page }) => {
  const name = `${NAME.slice(0, 80)} Hoffmann`
  const letter = { words: `Hi ${name},\n\n- ${name}: 1 lift overdue`, why: `You sponsor ${name}.` }
  await page.setContent(mailHtml({ subject: 'Who waits', letter, letterhead: { company: NAME, logo: null } }))
  await expectFits(page, 'an e-mail', 390, 1280)
})

/** Renames a learner of Sam's; returns the previous first name. */
async function rename(page: Page, name: string): Promise<string> {
  await page.goto('/users/edit/4')
  await settled(page)
  const field = page.locator('input[name=first_name]')
  const before = await field.inputValue()
  await field.fill(name)
  await page.getByRole('button', { name: 'Save user' }).click()
  await page.waitForURL(/\/users(\?|$)/)
  return before
}

/** The list of errors in a form stays within the lift, bullets included. */
async function expectMistakesWithin(page: Page): Promise<void> {
  await page.context().clearCookies()
  await page.setViewportSize({ width: 390, height: 800 })
  await signIn(page, 'uri@northwind.example')
  await page.goto('/learner')
  await page.getByRole('listitem').filter({ hasText: WORD }).getByRole('link').first().click()
  await settled(page)
  await page.locator('form.lift-form').evaluate((form: HTMLFormElement) => {
    form.noValidate = true
  })
  await page.getByRole('button', { name: 'Answer' }).click()
  const wrong = page.locator('.lift-wrong li').first()
  await expect(wrong).toBeVisible()
  const [item, lift] = [await wrong.boundingBox(), await page.locator('.lift').boundingBox()]
  expect((item?.x ?? 0) - (lift?.x ?? 0)).toBeGreaterThan(12)
}

test.describe('narrow windows', () => {
  test.skip(({ javaScriptEnabled }) => !javaScriptEnabled, 'scripts change nothing about widths')

  test('show every column of a table', async ({ page }) => {
    await signIn(page, 'adam@northwind.example')
    await page.goto('/settings/company/keys/new')
    await settled(page)
    await page.getByLabel('Name', { exact: false }).first().fill('The warehouse’s roster')
    await page.getByRole('button', { name: 'Create API key' }).click()
    await expect(page.getByRole('heading', { name: 'Copy your API key' })).toBeVisible()
    await page.goto('/users/import')
    await settled(page)
    await page.locator('input[type=file]').setInputFiles(PEOPLE)
    await page.getByRole('button', { name: 'Check the file' }).click()
    await expect(page.getByText('Nothing was changed')).toBeVisible({ timeout: 30_000 })
    for (const path of [
      new URL(page.url()).pathname,
      '/users/import',
      '/settings/company/keys',
      '/settings/sessions',
      '/analytics/explain?figure=response&outcome=no',
      '/lljs/1/schedule/preview',
    ]) {
      await page.goto(path)
      await expectFits(page, path, 390, 1000, 1100, 1280)
    }
    await page.setViewportSize({ width: 390, height: 800 })
    const ends = await page
      .locator('td time')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
    expect(Math.max(...ends)).toBeGreaterThan(0)
    expect(Math.max(...ends)).toBeLessThan(375)
  })

  test('show the full name of a company', async ({ page }) => {
    await signIn(page, 'adam@northwind.example')
    await expect(page.locator('.side .brand-name')).toHaveText('Northwind Logistics')
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      expect([width, await cutName(page)]).toEqual([width, false])
    }
  })

  test('keep two badges apart', async ({ page }) => {
    await signIn(page, 'uri@northwind.example')
    await page.goto('/todo')
    const badges = page
      .getByRole('row', { name: /Overdue/ })
      .first()
      .locator('.rt-Badge')
    await expect(badges).toHaveCount(2)
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const [one, other] = [await badges.nth(0).boundingBox(), await badges.nth(1).boundingBox()]
      if (!one || !other) throw new Error('There are no badges.')
      const gap = Math.max(other.x - one.x - one.width, other.y - one.y - one.height)
      expect.soft(gap, `at ${width}`).toBeGreaterThanOrEqual(6)
    }
  })

  test('keep a field’s label on one line, and space below the progress', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 800 })
    await signIn(page, 'sam@northwind.example')
    await page.goto('/sponsors-journey/1?learner=4')
    await settled(page)
    await expectNoWider(page, 'a learner of a sponsor', 390)
    const label = page.locator('label[for="words"]')
    expect(await label.textContent()).toMatch(/\S\u00a0\*$/)
    expect((await label.boundingBox())?.height).toBeLessThan(30)
    const progress = await page.getByText(/lifts? so far completed/).boundingBox()
    const heading = await page
      .getByRole('heading', { name: /Encourage|Commitments|Lifts/ })
      .first()
      .boundingBox()
    expect((heading?.y ?? 0) - (progress?.y ?? 0) - (progress?.height ?? 0)).toBeGreaterThan(12)
  })

  test('fit text of twice the size without scrolling sideways', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 800 })
    await signIn(page, 'sam@northwind.example')
    for (const path of ['/', '/sponsors-journey', '/sponsors-journey/2?learner=14']) {
      await page.goto(path)
      await settled(page)
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      await expectNoWider(page, path, 390)
      expect([path, await cutName(page)]).toEqual([path, false])
    }
    await page.locator('.popover > summary').click()
    const head = page.locator('.popover-head')
    expect(await head.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  })
})

const cutName = (page: Page) =>
  page
    .locator('.brand-name:visible')
    .evaluate((name) => name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight)

const PEOPLE = {
  name: 'people-of-the-northern-warehouse.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    'email,first_name,last_name,role\na-rather-long-address-of-somebody@warehouse.northwind.example,A,Long,user\nnobody,No,Body,chief',
  ),
}
