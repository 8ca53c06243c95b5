import { expect, type Page } from '@playwright/test'
import { moveTo } from '../behind-the-scenes.ts'
import { settled, signIn } from '../people.ts'
import { test } from '../product.ts'

/** An author's story in the testing tenant. */
test('an author writes three lifts, adds two learners with a sponsor, previews the times and launches', async ({
  page,
}, info) => {
  const journey = `First week ${info.project.name} ${Date.now()}`
  // Other stories move them to zones where it is day.
  await moveTo('lena@testing.example', 'Europe/Berlin')
  await moveTo('ravi@testing.example', 'Asia/Kolkata')
  await signIn(page, 'tess@testing.example')
  await page.goto('/lljs/manage/new')
  await settled(page)
  await page.getByLabel('Name', { exact: false }).last().fill(journey)
  await page.getByLabel('Category').last().selectOption('Try-outs')
  await page.getByRole('button', { name: 'Create journey' }).click()
  await page.waitForURL(/\/lljs\/\d+\/schedule/)
  const schedule = new URL(page.url()).pathname

  await page.goto(schedule.replace('schedule', 'objectives'))
  await settled(page)
  await page.getByLabel('Code').fill('LO1')
  await page.getByLabel('What people can do afterwards').fill('Gives feedback on the same day')
  await page.getByRole('button', { name: 'Add objective' }).click()
  await expect(page.getByText('Gives feedback on the same day')).toBeVisible()
  await expect(page.getByLabel('Code')).toHaveValue('')

  await addLift(page, schedule, 'Say it early')
  await addLift(page, schedule, 'Say it kindly')
  await addLift(page, schedule, 'Try it')

  await openLift(page, schedule, 'Say it early')
  await page.getByRole('button', { name: 'Callout' }).click()
  await settled(page)
  await page.getByLabel(/^Text/).fill('The same day is **early**.')
  await page.getByRole('button', { name: 'Save callout' }).click()
  await expect(page.getByRole('button', { name: 'The same day is early.', exact: true })).toBeVisible()

  await addQuestion(page, schedule, 'Say it early', 'Several choices', 'What helps?', ['Facts', 'Blame'])
  await addQuestion(page, schedule, 'Say it kindly', 'Confidence from 0 to 10', 'How sure are you?')
  await addQuestion(page, schedule, 'Try it', 'Commitment', 'What will you try?')

  await page.goto(schedule)
  await settled(page)
  await page.getByRole('button', { name: 'Up Try it' }).click()
  await expect(page.locator('.timeline-title').nth(1)).toContainText('Try it')

  await page.goto(schedule.replace('schedule', 'people/add'))
  await settled(page)
  await page.getByLabel('Lena Hoffmann').check()
  await page.getByLabel('Ravi Menon').check()
  await page.getByRole('button', { name: 'Add learners' }).click()
  await expect(page.getByRole('heading', { name: 'Participants (2)' })).toBeVisible()
  for (const name of ['Lena Hoffmann', 'Ravi Menon']) {
    await page.getByRole('link', { name: `Edit ${name}` }).click()
    await settled(page)
    await page.getByLabel('Sponsor').fill('tess@testing.example')
    await page.getByRole('button', { name: 'Save participant' }).click()
    await expect(page.getByRole('link', { name: `Edit ${name}` })).toBeVisible()
  }
  await expect(page.getByText(/sponsor: Tess/)).toHaveCount(2)

  await expectTimes(page, schedule, DAYS[info.project.name] ?? 0)

  await openLift(page, schedule, 'Say it early')
  await expect(page.locator('.phone').getByText('What helps?')).toBeVisible()
  const preview = await page.getByRole('link', { name: 'Open the test page' }).first().getAttribute('href')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(preview ?? '')
  await expect(page.getByText('What helps?')).toBeVisible()
  await expect(page.locator('strong').filter({ hasText: 'early' })).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.goto(schedule)
  await settled(page)
  await page.getByRole('link', { name: 'Launch', exact: true }).click()
  await expect(page.getByText('2 learners will take part')).toBeVisible()
  await page.getByLabel(/^Now: /).check()
  await page.getByRole('button', { name: 'Yes, launch' }).click()
  await expect(page.getByText('Active').first()).toBeVisible()
})

/** A learner gets one lift a day, of any journey, so each run of the story has its own day. */
const DAYS: Record<string, number> = { 'with-javascript': 13, 'without-javascript': 20 }

/** The last lift has a date: it comes at noon in each person's zone, or waits until quiet hours end. */
async function expectTimes(page: Page, schedule: string, day: number): Promise<void> {
  await openLift(page, schedule, 'Try it')
  await page.getByLabel('On a date').check()
  await page.getByLabel('Date', { exact: true }).fill(`2032-01-${day}`)
  await page.getByLabel('Time of day', { exact: true }).fill('12:00')
  await page.getByRole('button', { name: 'Save lift' }).click()
  await expect(page.getByText(`Jan ${day}, 2032 at 12:00 PM`)).toBeVisible()
  for (const [name, zone] of [
    ['Lena Hoffmann', 'Europe/Berlin'],
    ['Ravi Menon', 'Asia/Kolkata'],
  ] as const) {
    await page.goto(`${schedule}/preview`)
    await settled(page)
    await page.getByLabel('Learner', { exact: true }).selectOption(name)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page.getByText(`Jan ${day}, 2032, 12:00 PM (${zone})`)).toBeVisible()
  }
  await page.getByText('Try other settings').click()
  await page.getByLabel('The lift', { exact: true }).selectOption('Try it')
  await page.getByLabel('Date', { exact: true }).fill('2032-02-29')
  await page.getByLabel('Time of day', { exact: true }).fill('23:00')
  await page.getByRole('button', { name: 'Show what would happen' }).click()
  await expect(page.getByText(/Mar 1, 2032, 9:\d\d AM \(Asia\/Kolkata\)/)).toBeVisible()
  await expect(page.getByText(`instead of Jan ${day}, 2032, 12:00 PM`)).toBeVisible()
  await expect(page.getByText(/Moved out of the recipient’s quiet hours/)).toBeVisible()
}

async function addLift(page: Page, schedule: string, title: string): Promise<void> {
  await page.goto(`${schedule}/lifts/new`)
  await settled(page)
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Text', { exact: true }).fill(`About: ${title}`)
  await page.getByLabel('This lift is ready').check()
  await page.getByRole('button', { name: 'Save lift' }).click()
  await expect(page.getByRole('link', { name: title, exact: true })).toBeVisible()
}

async function openLift(page: Page, schedule: string, title: string): Promise<void> {
  await page.goto(schedule)
  await page.getByRole('link', { name: title, exact: true }).click()
  await expect(page.getByRole('heading', { name: `Edit lift “${title}”` })).toBeVisible()
  await settled(page)
}

async function addQuestion(
  page: Page,
  schedule: string,
  lift: string,
  kind: string,
  text: string,
  answers: readonly string[] = [],
): Promise<void> {
  await openLift(page, schedule, lift)
  await page.getByRole('button', { name: kind, exact: true }).click()
  await expect(page.getByRole('heading', { name: `Add: ${kind}` })).toBeVisible()
  await settled(page)
  await page.getByLabel(/^Question/).fill(text)
  for (const [index, answer] of answers.entries())
    await page.getByLabel(`Answer ${index + 1}`, { exact: true }).fill(answer)
  if (answers.length > 0) await page.getByLabel('Right: Answer 1').check()
  await page.getByLabel('LO1').check()
  await page.getByRole('button', { name: 'Save question' }).click()
  await expect(page.getByRole('button', { name: text, exact: true })).toBeVisible()
}
