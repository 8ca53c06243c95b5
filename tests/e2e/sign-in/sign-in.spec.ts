import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { generate } from 'otplib'
import {
  changeAccount,
  forgiveGuesses,
  keepingPassword,
  latestCode,
  latestMessage,
  letAnHourPass,
  letCodesExpire,
  wantNoSecondFactor,
} from '../behind-the-scenes.ts'
import { expectFingersFit } from '../clean.ts'
import { findViolations } from '../every-page/axe.ts'
import { accountOf, settled, signInAnew } from '../people.ts'
import { test } from '../product.ts'
import {
  choosePassword,
  expectIn,
  fillSignUp,
  fresh,
  goToPassword,
  other,
  PASSWORD,
  typeCode,
  typePassword,
} from './sign-in-steps.ts'

const PHONE = { width: 375, height: 740 }
/** Each run has its own person, because the number of codes per person is limited. */
const FORGETFUL: Record<string, string> = {
  'with-javascript': 'grace@harbor.example',
  'without-javascript': 'theo@harbor.example',
}

test.use({ viewport: PHONE })
test.beforeEach(() => forgiveGuesses())

test('an invitation leads to a password, an authenticator app and a session', async ({
  browser,
  contextOptions,
  javaScriptEnabled,
  baseURL,
  page,
}, info) => {
  const email = fresh('iris', info.project.name)
  const options = { ...contextOptions, javaScriptEnabled, viewport: null, ...(baseURL && { baseURL }) }
  const tess = await visitAs(browser, options, 'tess@testing.example')
  await inviteAdmin(tess, email)
  try {
    await requireSecondFactor(tess)
    const mail = await latestMessage(email)
    await page.goto(/Choose your password: (\S+)/.exec(mail)?.[1] ?? 'The mail names no address')
    await page.waitForURL('**/login/forceNewPassword')
    await expect(page.getByRole('heading', { name: 'Choose your password' })).toBeVisible()
    if (javaScriptEnabled) await expectClean(page)
    await choosePassword(page, PASSWORD, 'Choose Password')

    await page.waitForURL('**/login/setupTotp')
    await expect(page.getByRole('heading', { name: 'Setup TOTP' })).toBeVisible()
    const box = await page.getByRole('img', { name: /QR code/ }).boundingBox()
    expect([box?.width, box?.height]).toEqual([228, 228])
    const secret = (await page.locator('#totp-secret').textContent()) ?? ''
    await page.reload()
    await expect(page.locator('#totp-secret')).toHaveText(secret)
    if (javaScriptEnabled) await expectClean(page)
    if (javaScriptEnabled) await expectCopied(page, secret)
    await typeCode(page, '000 000', 'Confirm')
    await expect(page.getByText('Code mismatch')).toBeVisible()
    await typeCode(page, await generate({ secret }), 'Confirm')
    await expectIn(page)

    const again = await (await browser.newContext(options)).newPage()
    await goToPassword(again, email)
    await typePassword(again, PASSWORD)
    await expect(again.getByRole('heading', { name: 'Confirm TOTP Code' })).toBeVisible()
    await again.getByRole('button', { name: 'Back to Sign In' }).click()
    await again.waitForURL('**/login/signIn')
  } finally {
    await wantNoSecondFactor()
  }
})

/** The tooltip names the action of the button, then its success. */
async function expectCopied(page: Page, secret: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const tooltip = page.getByRole('tooltip')
  await expect(tooltip).toHaveText('Copy to clipboard')
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect(tooltip).toHaveText('Copied')
  await expect(tooltip).toHaveCSS('opacity', '1')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
}

async function visitAs(browser: Browser, options: BrowserContextOptions, email: string): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  await signInAnew(page, email)
  return page
}

/** An administrator who requires a second factor needs one at once. */
async function requireSecondFactor(tess: Page): Promise<void> {
  await tess.goto('/settings/company')
  await settled(tess)
  await tess.getByLabel('Administrators need a second factor').check()
  const saved = tess.waitForResponse((response) => response.request().method() === 'POST')
  await tess.getByRole('button', { name: /^Save/ }).click()
  await saved
  await settled(tess)
  await tess.goto('/settings/company')
  await expect(tess.getByRole('heading', { name: 'How you sign in' })).toBeVisible()
}

async function inviteAdmin(tess: Page, email: string): Promise<void> {
  await tess.goto('/users/add')
  await settled(tess)
  await tess.getByLabel('First name').fill('Iris')
  await tess.getByLabel('Last name').fill('Invited')
  await tess.getByLabel('Work e-mail').fill(email)
  await tess.getByLabel('Role', { exact: false }).first().selectOption('admin')
  await tess.getByLabel('Send the invitation now').check()
  await tess.getByRole('button', { name: 'Add user' }).click()
  await tess.waitForURL((url) => url.pathname !== '/users/add')
}

test('a person who signs up is signed in after confirming the address', async ({ page }, info) => {
  const email = fresh('nina', info.project.name)
  await goToPassword(page, email)
  await fillSignUp(page, ` ${email.toUpperCase()} `)
  await page.getByLabel('Given Name').fill('Nina')
  await page.getByLabel('Family Name').fill('New')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('heading', { name: 'We Emailed You' })).toBeVisible()

  const code = await latestCode(email)
  await typeCode(page, other(code), 'Confirm')
  await expect(page.getByText('Invalid verification code provided, please try again.')).toBeVisible()
  await page.getByRole('link', { name: 'Dismiss' }).click()
  await expect(page.getByText('Invalid verification code')).toBeHidden()
  await settled(page)
  await page.getByRole('button', { name: 'Resend Code' }).click()
  await expect(page.getByText('The code was sent a moment ago.')).toBeVisible()
  await typeCode(page, ` ${code.slice(0, 3)} ${code.slice(3)} `, 'Confirm')
  await expectIn(page)
})

test('a forgotten password is replaced, and an expired code is refused', async ({ page }, info) => {
  const email = FORGETFUL[info.project.name] ?? ''
  await keepingPassword(email, () => replacePassword(page, email))
})

async function replacePassword(page: Page, email: string): Promise<void> {
  await goToPassword(page, email, `?forgotPassword=${email}`)
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible()
  await page.getByRole('button', { name: 'Send Code' }).click()
  await page.waitForURL('**/login/confirmResetPassword')
  await settled(page)
  await expectFingersFit(page, ['Resend Code', 'Back to Sign In'])
  const stale = await latestCode(email)
  await letCodesExpire()
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(stale)
  await choosePassword(page, PASSWORD, 'Submit')
  await expect(page.getByText('Invalid code provided, please request a code again.')).toBeVisible()

  await letAnHourPass()
  await settled(page)
  await page.getByRole('button', { name: 'Resend Code' }).click()
  await expect(page.getByText('Invalid code provided')).toBeHidden()
  await expect.poll(() => latestCode(email)).not.toBe(stale)
  await settled(page)
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(await latestCode(email))
  await choosePassword(page, PASSWORD, 'Submit')
  await expect(page.getByText('Your password was changed. Sign in with the new one.')).toBeVisible()
  await settled(page)
  await typePassword(page, PASSWORD)
  await expectIn(page)
}

test('sign-in and password reset do not reveal that an address is unknown', async ({
  page,
  javaScriptEnabled,
}) => {
  const email = 'nobody@nowhere.example'
  await goToPassword(page, email)
  await typePassword(page, 'a wrong guess')
  await expect(page.getByText('Incorrect username or password.')).toBeVisible()
  if (javaScriptEnabled) {
    await settled(page)
    await typePassword(page, '')
    await expect(page.getByText('This field is required')).toBeVisible()
    await expect(page.getByText('Incorrect username or password.')).toBeHidden()
  }
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.waitForURL('**/login/forgotPassword')
  await settled(page)
  await page.getByRole('button', { name: 'Send Code' }).click()
  await expect(page.getByText('the code we emailed to n**y@nowhere.example')).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/\/login\/(forgotPassword|signIn)$/)
})

test('a person verifies a contact, or skips it on either screen', async ({
  browser,
  page,
  contextOptions,
  javaScriptEnabled,
  baseURL,
}) => {
  const email = 'eva@northwind.example'
  const { password } = accountOf(email)
  const unverify = () => changeAccount(email, `attributes = attributes || '{"email_verified": false}'`)
  const TITLE = 'Account recovery requires verified contact information'
  const options = { ...contextOptions, javaScriptEnabled, viewport: PHONE, ...(baseURL && { baseURL }) }

  for (const skips of ['at once', 'later'] as const) {
    await unverify()
    const visitor = await (await browser.newContext(options)).newPage()
    await goToPassword(visitor, email)
    await typePassword(visitor, password)
    await expect(visitor.getByRole('heading', { name: TITLE })).toBeVisible()
    await settled(visitor)
    if (skips === 'later') {
      await visitor.getByLabel('Email: e**a@northwind.example').check()
      await visitor.getByRole('button', { name: 'Verify' }).click()
      await visitor.waitForURL('**/login/confirmVerifyUser')
      await settled(visitor)
    }
    await visitor.getByRole('button', { name: 'Skip' }).click()
    await expectIn(visitor)
  }

  await letAnHourPass()
  await goToPassword(page, email)
  await typePassword(page, password)
  await page.getByLabel('Email: e**a@northwind.example').check()
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.waitForURL('**/login/confirmVerifyUser')
  await typeCode(page, await latestCode(email), 'Submit')
  await expectIn(page)
})

test('sign-in asks for a code by text, and refuses a wrong or expired one', async ({ page }) => {
  const email = 'sam@northwind.example'
  const phone = `+1555${String(Date.now()).slice(-7)}`
  const attributes = JSON.stringify({ phone_number: phone, phone_number_verified: true })
  await changeAccount(email, `preferred_mfa = 'SMS_MFA', attributes = attributes || '${attributes}'`)
  await goToPassword(page, email)
  await typePassword(page, accountOf(email).password)
  await expect(page.getByRole('heading', { name: 'Confirm SMS Code' })).toBeVisible()
  await expect(page.getByText(`********${phone.slice(-4)}`)).toBeVisible()
  const code = await latestCode(phone)
  await typeCode(page, other(code), 'Confirm')
  await expect(page.getByText('Invalid code or auth state for the user.')).toBeVisible()
  await letCodesExpire()
  await typeCode(page, code, 'Confirm')
  await expect(page.getByText('Invalid code provided, please request a code again.')).toBeVisible()

  await letAnHourPass()
  await page.getByRole('button', { name: 'Back to Sign In' }).click()
  await page.waitForURL('**/login/signIn')
  await settled(page)
  await typePassword(page, accountOf(email).password)
  await page.waitForURL('**/login/confirmSignIn')
  await expect.poll(() => latestCode(phone)).not.toBe(code)
  await typeCode(page, await latestCode(phone), 'Confirm')
  await expectIn(page)
  await changeAccount(email, 'preferred_mfa = null')
})

test('a disabled person reads "User is disabled." and stays on the sign-in page', async ({ page }) => {
  const email = 'toni@testing.example'
  await changeAccount(email, 'enabled = false')
  await goToPassword(page, email)
  await typePassword(page, accountOf(email).password)
  await expect(page.getByText('User is disabled.')).toBeVisible()
  await expect(page).toHaveURL(/\/login\/signIn$/)
  await changeAccount(email, 'enabled = true')
})

test('axe finds no violations on the sign-in screens that everyone can reach', async ({
  page,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, 'axe is a script itself')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await goToPassword(page, 'nobody@nowhere.example')
    await typePassword(page, 'a wrong guess')
    await expect(page.getByText('Incorrect username or password.')).toBeVisible()
    await expectClean(page)
    await page.goto('/login/signUp')
    await settled(page)
    await page.getByLabel('Password').first().fill('short')
    await page.getByLabel('Confirm Password').fill('other one')
    await page.getByLabel('Given Name').focus()
    await expectClean(page)
    await page.goto('/login/forgotPassword')
    await expectClean(page)
    await settled(page)
    await page.getByRole('button', { name: 'Send Code' }).click()
    await page.waitForURL('**/login/confirmResetPassword')
    await expectClean(page)
  }
})

async function expectClean(page: Page): Promise<void> {
  await settled(page)
  expect.soft(await findViolations(page), page.url()).toEqual([])
}
