import { expect, type Page } from '@playwright/test'
import {
  changeAccount,
  forgiveGuesses,
  keepingPassword,
  latestCode,
  latestMessage,
  letAnHourPass,
} from '../behind-the-scenes.ts'
import { accountOf, settled } from '../people.ts'
import { test } from '../product.ts'
import {
  choosePassword,
  expectIn,
  fillSignUp,
  fresh,
  goToPassword,
  PASSWORD,
  typeCode,
  typePassword,
} from './sign-in-steps.ts'

test.use({ viewport: { width: 375, height: 740 } })
test.beforeEach(() => forgiveGuesses())

test('a person who closed the page before confirming gets a new code, and is signed in with it', async ({
  browser,
  contextOptions,
  javaScriptEnabled,
  baseURL,
  page,
}, info) => {
  const email = fresh('una', info.project.name)
  await goToPassword(page, email)
  await fillSignUp(page, email)
  await page.getByLabel('Given Name').fill('Una')
  await page.getByLabel('Family Name').fill('Later')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('heading', { name: 'We Emailed You' })).toBeVisible()
  const first = await latestCode(email)
  await page.close()

  await letAnHourPass()
  const options = { ...contextOptions, javaScriptEnabled, ...(baseURL && { baseURL }) }
  const later = await (await browser.newContext(options)).newPage()
  await goToPassword(later, email)
  await typePassword(later, PASSWORD)
  await expect(later.getByRole('heading', { name: 'We Emailed You' })).toBeVisible()
  await expect.poll(() => latestCode(email)).not.toBe(first)
  await typeCode(later, await latestCode(email), 'Confirm')
  await expectIn(later)
})

test('a person who must choose a new password is sent a code, and signs in with the new password', async ({
  page,
}) => {
  const email = 'uri@northwind.example'
  await letAnHourPass()
  await keepingPassword(email, async () => {
    await changeAccount(email, `status = 'RESET_REQUIRED'`)
    await goToPassword(page, email)
    await typePassword(page, accountOf(email).password)
    await page.waitForURL('**/login/confirmResetPassword')
    await expect(page.getByText('the code we emailed to u**i@northwind.example')).toBeVisible()
    await expect.poll(() => latestMessage(email)).toMatch(/choose a new password/)
    await settled(page)
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill(await latestCode(email))
    await choosePassword(page, PASSWORD, 'Submit')
    await expect(page.getByText('Your password was changed. Sign in with the new one.')).toBeVisible()
    await settled(page)
    await typePassword(page, PASSWORD)
    await expectIn(page)
  })
})

test('a person who guesses passwords must wait, while another person can sign in', async ({ page }, info) => {
  await goToPassword(page, fresh('nobody', info.project.name))
  const answer = page.getByText(/^(Incorrect username or password\.|Password attempts exceeded)/)
  // At most ten guesses are checked in a quarter of an hour, and fewer if they come fast.
  for (let guesses = 1; guesses <= 11; guesses += 1) {
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await typePassword(page, `a wrong guess ${guesses}`)
    await answered
    await expect(answer).toBeVisible()
    await settled(page)
    if (/exceeded/.test((await answer.textContent()) ?? '')) break
    expect(guesses).toBeLessThan(11)
  }
  await expect(page.getByText('Password attempts exceeded')).toBeVisible()
  await page.getByRole('link', { name: 'Use another email' }).click()
  await page.waitForURL('**/login?first=email')
  const email = 'sam@northwind.example'
  await goToPassword(page, email)
  await typePassword(page, accountOf(email).password)
  await expectIn(page)
})

test('signing in works after a reload, Back and in a second tab, and an ended sign-in says so', async ({
  page,
  context,
}) => {
  const email = 'eva@northwind.example'
  await goToPassword(page, email)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.waitForURL('**/login/forgotPassword')
  await page.reload()
  await settled(page)
  await page.goBack()
  await settled(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  const second = await context.newPage()
  await second.goto('/login/signIn')
  await settled(second)
  // The first tab shows an outdated step; submitting it leads to the current one.
  await page.goto('/login/signIn')
  await settled(page)
  await typePassword(page, accountOf(email).password)
  await expectIn(page)
  await typePassword(second, accountOf(email).password)
  await expectIn(second)
  await second.goto('/login')
  await expectIn(second)

  await context.clearCookies()
  await page.goto('/login/confirmSignIn')
  await expect(page.getByRole('heading', { name: 'This sign-in has ended' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Sign In' }).click()
  await page.waitForURL('**/login')
})

test('the sign-up form checks fields while they are filled in, and moves nothing during a click', async ({
  page,
  javaScriptEnabled,
}, info) => {
  test.skip(!javaScriptEnabled, 'needs a script')
  const email = fresh('vera', info.project.name)
  await goToPassword(page, email)
  await page.getByRole('link', { name: 'Create Account' }).click()
  await page.waitForURL('**/login/signUp')
  await settled(page)
  const [password, confirm] = [page.getByLabel('Password').first(), page.getByLabel('Confirm Password')]
  const create = page.getByRole('button', { name: 'Create Account' })
  const mismatch = page.getByText('Your passwords must match')
  const short = page.getByText('Password must have at least 8 characters')

  // Nothing moves during a click: the error of the field that lost the focus appears once the pointer is released.
  const wrong = page.getByText('Please enter a valid email')
  const show = page.getByRole('button', { name: /^(Show|Hide) password$/ }).first()
  await page.getByLabel('Email').fill('vera')
  const before = await show.boundingBox()
  await page.mouse.move((before?.x ?? 0) + 8, (before?.y ?? 0) + 8)
  await page.mouse.down()
  await expect(show).toBeFocused()
  expect(await show.boundingBox()).toEqual(before)
  await expect(wrong).toBeHidden()
  await expect(show).toHaveText('Show password')
  await page.mouse.up()
  await expect(wrong).toBeVisible()
  await expect(password).toHaveAttribute('type', 'text')
  await expect(show).toHaveText('Hide password')
  await show.click()
  await expect(create).toBeDisabled()
  await page.getByLabel('Email').fill(email)
  await expect(page.getByText('Please enter a valid email')).toBeHidden()

  await password.pressSequentially('words')
  await password.blur()
  await expect(short).toBeVisible()
  await password.fill('words of my own')
  await expect(short).toBeHidden()
  await expect(create).toBeEnabled()

  // Fields with fewer than six characters are not compared yet.
  await confirm.pressSequentially('words')
  await expect(mismatch).toBeHidden()
  await confirm.pressSequentially('!')
  await expect(mismatch).toBeVisible()
  await expect(create).toBeDisabled()
  await confirm.fill('words of my own')
  await expect(mismatch).toBeHidden()

  await show.click()
  await expect(password).toHaveAttribute('type', 'text')
  await expect(page.getByText(`${200 - 'Vera'.length} left`)).toBeHidden()
  await page.getByLabel('Given Name').fill('Vera')
  await expect(page.getByText(`${200 - 'Vera'.length} left`)).toBeVisible()
  await expect(page.locator('.required-mark')).toHaveCount(5)

  // Shorter ones are compared once both fields have lost the focus.
  await page.reload()
  await settled(page)
  await confirm.fill('other')
  await confirm.blur()
  await expect(mismatch).toBeHidden()
  await password.fill('words')
  await password.blur()
  await expect(mismatch).toBeVisible()
})

test('buttons of the sign-in show progress, and the page title says when a form was refused', async ({
  page,
  javaScriptEnabled,
}, info) => {
  test.skip(!javaScriptEnabled, 'needs a script')
  await page.setViewportSize({ width: 1280, height: 800 })
  const email = fresh('wes', info.project.name)
  await page.goto('/login')
  await settled(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveTitle('Error: Sign In · Liftwell')
  await goToPassword(page, email)
  await expect(page).toHaveTitle('Sign In · Liftwell')
  const [field, button] = [page.getByLabel('Password').first(), page.getByRole('button', { name: 'Sign In' })]
  expect((await button.boundingBox())?.height).toBe((await field.boundingBox())?.height)

  const refused = await holding(page, () => typePassword(page, 'a wrong guess'))
  await expect(page.getByRole('button', { name: 'Signing in' })).toBeVisible()
  refused()
  await expect(page.getByText('Incorrect username or password.')).toBeVisible()
  await expect(page).toHaveTitle('Error: Sign In · Liftwell')

  await fillSignUp(page, email)
  await expect(page).toHaveTitle('Create Account · Liftwell')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveTitle('Error: Create Account · Liftwell')
  await page
    .getByRole('alert')
    .getByRole('link', { name: /^Given Name/ })
    .click()
  await expect(page.getByLabel('Given Name')).toBeFocused()
  await page.keyboard.type('Wes')
  await page.getByLabel('Family Name').fill('Wait')
  const made = await holding(page, () => page.getByRole('button', { name: 'Create Account' }).click())
  await expect(page.getByRole('button', { name: 'Creating Account' })).toBeDisabled()
  made()
  await expect(page.getByRole('heading', { name: 'We Emailed You' })).toBeVisible()
  await expect(page).toHaveTitle('Confirm your account · Liftwell')
})

/** Holds back the answer to a submitted form until the returned function is called. */
async function holding(page: Page, send: () => Promise<void>): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(
    '**/login/*',
    async (route) => {
      await promise
      await route.continue()
    },
    { times: 1 },
  )
  await send()
  return resolve
}
