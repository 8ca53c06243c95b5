import { expect, type Page } from '@playwright/test'
import { liveByDay } from '../behind-the-scenes.ts'
import { findViolations } from '../every-page/axe.ts'
import { logOut, settled, signIn } from '../people.ts'
import { test } from '../product.ts'

const go = async (page: Page, address: string) => {
  await page.goto(address)
  await settled(page)
}

async function expectClean(page: Page, isScripted: boolean | undefined): Promise<void> {
  if (!isScripted) return
  // A toast that is fading in has less contrast than in its final state.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.waitForTimeout(300)
  expect(await findViolations(page)).toEqual([])
}

/** A running journey of the testing company; its one learner is the author of other journeys. */
async function launch(page: Page, name: string): Promise<string> {
  await go(page, '/lljs/manage/new')
  await page.getByLabel('Name', { exact: false }).last().fill(name)
  await page.getByLabel('Category').last().selectOption('Try-outs')
  await page.getByRole('button', { name: 'Create journey' }).click()
  await page.waitForURL(/\/lljs\/\d+\/schedule/)
  const schedule = new URL(page.url()).pathname
  await go(page, `${schedule}/lifts/new`)
  await page.getByLabel('Title').fill('Listen first')
  await page.getByLabel('Text', { exact: true }).fill('People remember who listened.')
  await page.getByLabel('This lift is ready').check()
  await page.getByRole('button', { name: 'Save lift' }).click()
  await expect(page.getByRole('link', { name: 'Listen first', exact: true })).toBeVisible()
  await go(page, `${schedule.replace('schedule', 'people/add')}?people=Alvarez`)
  await page.getByLabel('Toni Alvarez').check()
  await page.getByRole('button', { name: 'Add learners' }).click()
  await expect(page.getByRole('heading', { name: 'Participants (1)' })).toBeVisible()
  await go(page, schedule)
  await page.getByRole('link', { name: 'Launch', exact: true }).click()
  await page.getByLabel(/^Now: /).check()
  await page.getByRole('button', { name: 'Yes, launch' }).click()
  await expect(page.getByText('Active').first()).toBeVisible()
  return schedule
}

test('an author writes an assessment, a learner answers it in two steps, and the author sees the result', async ({
  page,
  javaScriptEnabled,
}) => {
  const name = `Assessed ${javaScriptEnabled ? 'with' : 'without'} scripts`
  await signIn(page, 'tess@testing.example')
  await liveByDay('toni@testing.example')
  const schedule = await launch(page, name)

  await page.getByRole('link', { name: 'Assessments' }).click()
  await page.getByRole('link', { name: 'Add assessment' }).first().click()
  await settled(page)
  await page.getByLabel('Name').fill(name)
  await page.getByRole('group', { name: 'It opens' }).getByLabel('On a date').check()
  await page.getByLabel('Date it opens').fill('2020-01-01')
  await page.getByRole('button', { name: 'Save assessment' }).click()
  await page.getByRole('link', { name: 'Add: scale' }).click()
  await settled(page)
  await page.getByRole('textbox', { name: 'Item' }).fill('I listen before I talk.')
  await page.getByRole('button', { name: 'Save item' }).click()
  await page.getByRole('link', { name: 'Add: text' }).click()
  await settled(page)
  await page.getByRole('textbox', { name: 'Item' }).fill('What would help?')
  await page.getByRole('button', { name: 'Save item' }).click()
  await expect(page.getByText('2. What would help?')).toBeVisible()
  await expectClean(page, javaScriptEnabled)
  await logOut(page)

  await signIn(page, 'toni@testing.example')
  const waiting = page.locator('main').getByRole('link', { name: new RegExp(name) })
  await expect(async () => {
    await go(page, '/todo')
    await expect(waiting).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 100_000 })
  await waiting.click()
  await settled(page)
  // Two words that must stay on one line.
  expect((await page.getByText('No answer').last().boundingBox())?.height).toBeLessThan(55)
  await page.getByLabel('4', { exact: true }).check()
  await page.getByRole('button', { name: 'Save for later' }).click()
  await expect(page.getByText('Not submitted yet.')).toBeVisible()
  await expect(page.getByLabel('4', { exact: true })).toBeChecked()
  await expectClean(page, javaScriptEnabled)
  await page.getByRole('textbox', { name: 'What would help?' }).fill('A quiet room.')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('4 of 5')).toBeVisible()
  await expect(page.getByText('A quiet room.')).toBeVisible()
  await expectClean(page, javaScriptEnabled)
  await logOut(page)

  await signIn(page, 'tess@testing.example')
  await go(page, schedule.replace('/schedule', '/assessments/'))
  await expect(page.getByRole('row', { name: /Alvarez/ }).getByText('75%')).toBeVisible()
})
