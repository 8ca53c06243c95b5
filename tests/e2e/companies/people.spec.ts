import { expect, type Page } from '@playwright/test'
import { expectFits } from '../clean.ts'
import { settled, signIn } from '../people.ts'
import { test } from '../product.ts'

const ADAM = 'adam@northwind.example'
let count = 0
const someone = (project: string) =>
  `p${Date.now()}${++count}`.concat(project.startsWith('without') ? 'n' : 'j')

async function addUser(page: Page, name: string): Promise<void> {
  await page.goto('/users/add')
  await settled(page)
  await page.getByLabel('First name').fill(name)
  await page.getByLabel('Work e-mail').fill(`${name}@people.example`)
  await page.getByLabel('Job title').fill('Planner')
  await page.getByRole('button', { name: 'Add a role' }).click()
  const second = page.getByRole('group', { name: 'Role 2' })
  await expect(second).toBeVisible()
  await expect(page.getByLabel('Job title')).toHaveValue('Planner')
  await second.getByLabel('Role', { exact: false }).first().selectOption('author')
  await second.getByLabel('Where').selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Add user' }).click()
  await expect(page).toHaveURL(/\/users\/?$/)
}

const open = async (page: Page, name: string) => {
  await page.goto(`/users?q=${name}`)
  await page.getByRole('link', { name, exact: true }).click()
  await settled(page)
}

test('an administrator adds a user with two roles, edits, deactivates, activates and deletes them', async ({
  page,
}, { project }) => {
  const name = someone(project.name)
  await signIn(page, ADAM)
  await addUser(page, name)
  await page.goto(`/users?q=${name}`)
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('User, Author')
  await expect(row).toContainText('Invited')

  await open(page, name)
  await page.getByLabel('Last name').fill('Renamed')
  await page.getByRole('button', { name: 'Remove role 2' }).click()
  await expect(page.getByRole('group', { name: 'Role 2' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Save user' }).click()
  // The list keeps its search.
  await expect(page).toHaveURL(new RegExp(`/users/?\\?q=${name}$`))

  await open(page, `${name} Renamed`)
  await page.getByRole('link', { name: 'Deactivate account' }).click()
  await page.getByRole('button', { name: 'Yes, deactivate' }).click()
  await expect(page.getByRole('button', { name: 'Activate account' })).toBeVisible()
  await page.getByRole('button', { name: 'Activate account' }).click()
  await expect(page.getByRole('link', { name: 'Deactivate account' })).toBeVisible()
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByText('Invitation sent')).toBeVisible()
  await page.getByRole('link', { name: 'Delete user' }).click()
  await page.getByRole('button', { name: 'Yes, delete' }).click()
  await expect(page).toHaveURL(new RegExp(`/users/?\\?q=${name}`))
  await expect(page.locator('.empty-title')).toHaveText('No results')
})

test('the form for a new user says that an address is taken, and keeps what was typed', async ({ page }) => {
  await signIn(page, ADAM)
  await page.goto('/users/add')
  await settled(page)
  await page.getByLabel('First name').fill('Grace')
  await page.getByLabel('Work e-mail').fill('grace@harbor.example')
  await page.getByRole('button', { name: 'Add user' }).click()
  await expect(page.getByText('already has an account').first()).toBeVisible()
  await expect(page.getByLabel('First name')).toHaveValue('Grace')
})

test('what was typed can be copied when the connection is lost or the server is busy', async ({
  page,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, 'the browser itself says so then, and its Back leads to what was typed')
  await signIn(page, ADAM)
  await page.goto('/users/add')
  await settled(page)
  await page.getByLabel('First name').fill('Lost')
  await page.getByLabel('Job title').fill('Keeper of words')
  await page.getByLabel('Work e-mail').fill('lost@northwind.example')
  await page.route('**/users/add*', (route) => route.abort('internetdisconnected'))
  await page.getByRole('button', { name: 'Add user' }).click()
  await expect(page.getByText('What you wrote is below, so that you can copy it.')).toBeVisible()
  await expect(page.getByLabel('First name')).toHaveValue('Lost')
  await expect(page.getByLabel('Job title')).toHaveValue('Keeper of words')
  await page.unroute('**/users/add*')
  const busy = { status: 503, json: { has_error: true, status: 503, detail: 'The service is busy.' } }
  await page.getByRole('link', { name: 'Retry' }).click()
  await settled(page)
  await page.getByLabel('First name').fill('Found')
  await page.getByLabel('Work e-mail').fill('lost@northwind.example')
  await page.route('**/users/add.data*', (route) => route.fulfill(busy))
  await page.getByRole('button', { name: 'Add user' }).click()
  await expect(page.getByText('The service is busy.')).toBeVisible()
  await expect(page.getByLabel('First name')).toHaveValue('Found')
  await page.unroute('**/users/add.data*')
  await page.getByRole('link', { name: 'Retry' }).click()
  await expect(page.getByRole('button', { name: 'Add user' })).toBeVisible()
})

test('an administrator imports people, first as a dry run, then for real, and gets a result file', async ({
  page,
}, { project }) => {
  const name = someone(project.name)
  const file = {
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `email,first_name,role\n${name}@import.example,${name},author\nnobody,Nobody,user\nuri@northwind.example,Uri,`,
    ),
  }
  await signIn(page, ADAM)
  await page.goto('/users/import')
  await settled(page)
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'Check the file' }).click()
  await expect(page.getByRole('heading', { name: 'Dry run of people.csv' })).toBeVisible()
  await expect(page.getByText('Nothing was changed')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('E-mail: write it like ana@example.com').first()).toBeVisible()
  await page.goto(`/users?q=${name}`)
  await expect(page.locator('.empty-title')).toHaveText('No results')

  await page.goto('/users/import')
  await settled(page)
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'Import users' }).click()
  await expect(page.getByText('Finished.')).toBeVisible({ timeout: 30_000 })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Result file' }).click(),
  ])
  const text = await (await import('node:fs/promises')).readFile(await download.path(), 'utf8')
  expect(text).toContain(`2,${name}@import.example,created`)
  await page.goto(`/users?q=${name}`)
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText('Author')
})

test('an administrator deactivates a selected person, who is sent to sign in at the next page', async ({
  page,
  browser,
}, { project }) => {
  const victim = project.name.startsWith('without') ? 'aya@northwind.example' : 'sam@northwind.example'
  const other = await browser.newContext({ javaScriptEnabled: project.use.javaScriptEnabled ?? true })
  const theirs = await other.newPage()
  await signIn(theirs, victim)
  await theirs.goto('/settings/profile')
  await signIn(page, ADAM)
  const select = async (button: string) => {
    await page.goto(`/users?q=${victim}`)
    await settled(page)
    const box = page.getByRole('checkbox', { name: /^Select \w+ / })
    await box.check()
    await page.getByRole('button', { name: button, exact: true }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText(`${button} 1 person?`)
    await question.getByRole('link', { name: 'Cancel' }).click()
    await expect(question).toHaveCount(0)
    await expect(box).toBeChecked()
    await page.getByRole('button', { name: button, exact: true }).click()
    await question.getByRole('button', { name: `Yes, ${button.toLowerCase()}` }).click()
    await expect(page.getByText(/1 of 1 person/)).toBeVisible()
  }
  await select('Deactivate')
  await theirs.goto('/settings/profile')
  await expect(theirs).toHaveURL(/\/login/)
  // This state is the widest text in the list.
  await page.goto('/users')
  await expectFits(page, '/users', 1000)
  await select('Activate')
  await signIn(theirs, victim)
  await other.close()
})

test('the buttons for selected people stay in view', async ({ page, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, 'without scripts nothing knows what is ticked')
  await signIn(page, ADAM)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/users')
    await settled(page)
    const box = page.getByRole('checkbox', { name: /^Select \w+ / }).first()
    await box.check()
    await expect(box).toBeInViewport()
    await expect(page.getByRole('button', { name: 'Deactivate', exact: true })).toBeInViewport({ ratio: 1 })
  }
})

test('a user sees colleagues, edits only themselves, and cannot add, import or export people', async ({
  page,
}) => {
  await signIn(page, 'uri@northwind.example')
  await page.goto('/users')
  await expect(page.getByRole('row').filter({ hasText: 'uri@northwind.example' })).toBeVisible()
  for (const name of ['Add user', 'Import', 'Export'])
    await expect(page.getByRole('link', { name })).toHaveCount(0)
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  for (const path of ['/users/add', '/users/import', '/users/export'])
    expect((await page.goto(path))?.status(), path).toBe(403)
  await page.goto('/users?q=uri@northwind.example')
  await page.getByRole('link', { name: 'Uri Cohen', exact: true }).click()
  await settled(page)
  await expect(page.getByLabel('Role', { exact: false })).toHaveCount(0)
  await page.getByLabel('Job title').fill('Shift lead')
  await page.getByRole('button', { name: 'Save user' }).click()
  await expect(page.getByText('User saved')).toBeVisible()
})

test('one click on "Add user" submits the form, even if the field that was just left has an error', async ({
  page,
}) => {
  await signIn(page, ADAM)
  await page.goto('/users/add')
  await settled(page)
  await page.getByLabel('First name').fill('Nobody')
  await page.getByLabel('Work e-mail').fill('no address')
  const button = page.getByRole('button', { name: 'Add user' })
  await button.scrollIntoViewIfNeeded()
  const box = await button.boundingBox()
  if (!box) throw new Error('There is no button.')
  await page.mouse.move(box.x + box.width / 2, box.y + 3)
  await page.mouse.down()
  // The field has lost the focus; nothing may move until the button is released.
  expect((await button.boundingBox())?.y).toBe(box.y)
  await page.mouse.up()
  await expect(page.getByLabel('Work e-mail')).toBeFocused()
})

test('the list of people breaks no word of a name, and hides nothing, on a tablet or a small laptop', async ({
  page,
}) => {
  await signIn(page, ADAM)
  for (const width of [800, 1150]) {
    await page.setViewportSize({ width, height: 800 })
    // People of the demo, since other stories create names of one long word.
    await page.goto('/users?q=moreau')
    await expect(page.locator('tbody th a').first()).toBeVisible()
    const broken = await page.locator('tbody th a bdi').evaluateAll((names) =>
      names.flatMap(({ textContent }, nth) => {
        const words = document.createRange()
        words.selectNodeContents(names[nth] as Element)
        return words.getClientRects().length > String(textContent).split(' ').length ? [textContent] : []
      }),
    )
    expect.soft(broken, `broken at ${width}`).toEqual([])
    const beside = await page
      .locator('.data-table-scroll')
      .evaluate((table) => table.scrollWidth - table.clientWidth)
    expect.soft(beside, `out of sight at ${width}`).toBe(0)
  }
})
