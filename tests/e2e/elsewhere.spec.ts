/** Screens in front of another server, in a browser: scripts improve them, and they work without scripts. */
import { test as base, expect } from '@playwright/test'
import { openWebTier, type WebTier } from '../elsewhere/web-tier.ts'

const test = base.extend<object, { tier: WebTier }>({
  tier: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are asked for
    async ({}, use) => {
      const tier = await openWebTier('serve:web', 'texts')
      await use(tier)
      await tier.close()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

test('a super admin edits a tenant of another server, enters it, and returns', async ({
  page,
  context,
  tier,
}) => {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (line) => line.type() === 'error' && faults.push(line.text()))
  const { cookies } = await tier.visitor('Sol')
  // Browsers store such a cookie for https, and also send it to this machine over http.
  await context.addCookies(
    [...cookies]
      .filter(([name]) => name.startsWith('__Host-liftwell'))
      .map(([name, value]) => ({ name, value, url: 'https://localhost', secure: true, httpOnly: true })),
  )

  await page.goto(`${tier.origin}/tenants`)
  await expect(page.getByRole('heading', { name: 'Tenants', level: 1 })).toBeVisible()
  await page.getByRole('searchbox').fill('boreal')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('link', { name: 'Edit Borealis' }).click()
  await page.getByLabel('Plan').fill('Platinum')
  await page.getByRole('button', { name: 'Save tenant' }).click()
  await expect(page.getByText('Tenant saved')).toBeVisible()
  expect(tier.server.world.tenants.find(({ name }) => name === 'Borealis')?.plan).toBe('Platinum')

  await page.goto(`${tier.origin}/switch`)
  await page.getByLabel('Borealis').check()
  await page.getByRole('button', { name: 'Go to the Platform' }).click()
  await expect(page.getByText('working inside Borealis')).toBeVisible()
  await page.getByRole('link', { name: 'User Management' }).first().click()
  await expect(page.getByRole('heading', { name: 'Not available here' })).toBeVisible()
  await page.getByRole('button', { name: 'Return to dashboard' }).click()
  await expect(page.getByRole('heading', { name: 'Tenants', level: 1 })).toBeVisible()

  expect(tier.server.broken).toEqual([])
  expect(faults.filter((text) => !/404/.test(text))).toEqual([])
})
