/** The longest story runs first, because of its name, so that it does not run alone at the end. */
import { expect, type Page } from '@playwright/test'
import { expectClean, expectNoWider } from '../clean.ts'
import { settled, signIn } from '../people.ts'
import { test } from '../product.ts'

/** Learners of the demo who agreed to texts. */
const OMAR = 'Omar Silva'
const MARA = 'Mara Rossi'

test('the testing company plays weeks of answers, reminders and completions, and starts again', async ({
  page,
  javaScriptEnabled,
}) => {
  test.setTimeout(400_000)
  const expectGood = async () => {
    await settled(page)
    if (javaScriptEnabled) await expectClean(page, 'testing')
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await expectNoWider(page, 'testing', width)
    }
  }
  await signIn(page, 'tess@testing.example')
  await page.goto('/testing')
  await startAgain(page)
  await expectNothingYet(page)
  await expectGood()

  // One person answers the first lift by text, sends an unclear reply, and then stops the texts.
  await press(page, '1 day')
  await press(page, '1 day')
  await expect(phoneOf(page, OMAR).getByText('for "Ask first"?')).toBeVisible()
  await reply(page, OMAR, 'A')
  await expect(phoneOf(page, OMAR).getByText('Read as the answer to a lift.')).toBeVisible()
  await seen(page, () =>
    expect(phoneOf(page, OMAR).getByText('For "Ask first" we understood')).toBeVisible({ timeout: 1000 }),
  )
  await reply(page, MARA, 'What is this about?')
  await expect(phoneOf(page, MARA).getByText('Read as a reply to a lift that is no answer.')).toBeVisible()
  await phoneOf(page, MARA).getByRole('button', { name: 'STOP' }).click()
  await expect(phoneOf(page, MARA).getByText('Read as STOP: texts to this number have ended.')).toBeVisible()
  await expect(phoneOf(page, MARA).getByText('Takes no texts')).toBeVisible()
  await expectGood()

  // The weeks pass in a minute, while most people answer. Without scripts one week is enough to see what they bring.
  await page.getByLabel('Meanwhile').selectOption('Most answer')
  await press(page, javaScriptEnabled ? 'Play six weeks' : '1 week')
  await expect(page.getByText(javaScriptEnabled ? /4[34] days .* ahead/ : /\b9 days.* ahead/)).toBeVisible()
  await expectGood()

  // The results: reminders, the sponsor's week, completions.
  await page.goto('/testing/messages?q=Reminder')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.goto('/testing/messages?q=toni%40testing.example')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expectGood()
  await page.goto('/lljs/manage')
  const journey = page.getByRole('row').filter({ hasText: 'Six weeks as a new lead' })
  await expect(journey.getByText(javaScriptEnabled ? 'Completed' : 'Active')).toBeVisible()

  // The reset to the beginning.
  await page.goto('/testing')
  await startAgain(page)
  await page.goto('/lljs/manage')
  await expect(journey.getByText('Scheduled')).toBeVisible()
})

async function startAgain(page: Page): Promise<void> {
  await settled(page)
  await page.getByRole('link', { name: 'Put this tenant back' }).click()
  await expect(page.getByRole('heading', { name: 'Start again?' })).toBeVisible()
  const version = await versionOf(page)
  await page.getByRole('button', { name: 'Yes, start again' }).click()
  await atRest(page, version)
  await expect(page.getByText(/days?.* ahead/)).toHaveCount(0)
}

async function press(page: Page, step: string): Promise<void> {
  await settled(page)
  const version = await versionOf(page)
  await page.getByRole('button', { name: step, exact: true }).click()
  await atRest(page, version)
}

const versionOf = (page: Page) => page.locator('input[name="version"]').inputValue()

/** Until the clock has arrived, the page refreshes itself and has no form. */
async function atRest(page: Page, before: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === '/testing')
  await expect(page.locator('input[name="version"]')).not.toHaveValue(before, { timeout: 240_000 })
}

const phoneOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, level: 3 }) })

async function reply(page: Page, name: string, text: string): Promise<void> {
  await settled(page)
  await phoneOf(page, name).getByLabel(`Text from ${name}`).fill(text)
  await phoneOf(page, name)
    .getByRole('button', { name: `Send as ${name}` })
    .click()
}

/** Reloads until a job has done its work. */
const seen = (page: Page, look: () => Promise<void>) =>
  expect(async () => {
    await page.reload()
    await look()
  }).toPass({ timeout: 20_000 })

/** By day sponsors are told at once that the journey has begun. */
const expectNothingYet = (page: Page) =>
  expect(
    page.getByText('No messages', { exact: true }).or(page.getByText('You are a sponsor in')).first(),
  ).toBeVisible()
