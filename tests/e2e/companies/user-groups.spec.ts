import { expect } from '@playwright/test'
import { settled, signIn } from '../people.ts'
import { test } from '../product.ts'

test('an administrator creates a group of people, and adds all of it to a journey', async ({ page }, {
  project,
}) => {
  const name = `Night shift ${Date.now()} ${project.name}`
  await signIn(page, 'adam@northwind.example')
  await page.goto('/users')
  await page.getByRole('link', { name: 'Groups' }).click()
  await expect(page.getByRole('heading', { name: 'Groups', level: 1 })).toBeVisible()
  await settled(page)
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create group' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('Nobody is in this group')).toBeVisible()

  await page.getByRole('link', { name: 'Choose people' }).click()
  await settled(page)
  await page.getByLabel('E-mails').fill('uri@northwind.example\nnobody@northwind.example')
  await page.getByRole('button', { name: 'Add people' }).click()
  await expect(page.getByText('nobody@northwind.example').first()).toBeVisible()
  // A search keeps everything typed and selected, including unfinished words.
  await page.getByLabel('E-mails').fill('uri@northwind.example\nsa')
  await page.getByLabel('Search people').fill('aya')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.locator('.choice')).toHaveCount(1)
  await expect(page.getByLabel('E-mails')).toHaveValue(/\bsa$/)
  await page.getByLabel('E-mails').fill('uri@northwind.example\nsam@northwind.example')
  await page.getByRole('button', { name: 'Add people' }).click()
  await expect(page.getByText('2 people added')).toBeVisible()

  await page.goto('/lljs/manage/new')
  await settled(page)
  await page.getByLabel('Name', { exact: false }).last().fill(name)
  await page.getByLabel('Category').last().selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Create journey' }).click()
  await page.waitForURL(/\/lljs\/\d+\/schedule/)
  await page.goto(new URL(page.url()).pathname.replace(/schedule\/?$/, 'people/add'))
  await settled(page)
  await page.getByText('Add by group, role or sub-tenant').click()
  await page.getByLabel('Everyone in the group').selectOption({ label: `${name} (2 people)` })
  await page.getByRole('button', { name: 'Add all of them' }).click()
  await expect(page.getByText('2 learners added')).toBeVisible()
  for (const one of ['Uri Cohen', 'Sam de Boer']) await expect(page.getByText(one).first()).toBeVisible()
})
