/** A journey from the import of its file to the learner with its first lift. */
import { expect, type Page } from '@playwright/test'
import { settled } from '../people.ts'

/** Returns the draft's address. Stories that follow each other quickly may be told to try again in a minute. */
export async function importJourney(page: Page, file: string): Promise<string> {
  await expect(async () => {
    await page.goto('/lljs/manage/import')
    await settled(page)
    await page.getByLabel('Or paste its text').fill(file)
    await page.getByRole('button', { name: 'Check the file' }).click()
    await expect(page.getByText('No problems in this file.')).toBeVisible()
    await settled(page)
    await page.getByRole('button', { name: 'Create the draft' }).click()
    await page.waitForURL(/\/lljs\/\d+\/schedule/, { timeout: 20_000 })
  }).toPass({ intervals: [20_000], timeout: 90_000 })
  return new URL(page.url()).pathname.replace('/schedule', '')
}

export async function launchForUri(page: Page, journey: string): Promise<void> {
  await page.goto(`${journey}/people/add?who=uri`)
  await settled(page)
  await page.getByLabel(/^Uri /).check()
  await page.getByRole('button', { name: 'Add learners' }).click()
  await expect(page.getByRole('heading', { name: 'Participants (1)' })).toBeVisible()
  await page.goto(`${journey}/schedule`)
  await settled(page)
  await page.getByRole('link', { name: 'Launch', exact: true }).click()
  await page.getByLabel(/^Now: /).check()
  await page.getByRole('button', { name: 'Yes, launch' }).click()
  await expect(page.getByText('Active').first()).toBeVisible()
}
