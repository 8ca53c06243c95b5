import { expect } from '@playwright/test'
import { generate } from 'otplib'
import { CODE, startCognitoLocal } from '#tests/fakes/cognito-local.ts'
import { startCognitoWire, WIRE_POOL } from '#tests/fakes/cognito-wire.ts'
import { addCompanyAt } from '../behind-the-scenes.ts'
import { settled } from '../people.ts'
import { test } from '../product.ts'
import {
  choosePassword,
  expectIn,
  fillSignUp,
  goToPassword,
  PASSWORD,
  typeCode,
  typePassword,
} from './sign-in-steps.ts'

const TEMPORARY = 'Temporary words 1'

test.use({ viewport: { width: 375, height: 740 } })

test('an invited person of a company at Cognito signs in through our screens', async ({ page }, info) => {
  const wire = await startCognitoWire()
  try {
    const pool = `wire-${info.project.name}`
    const email = `ivy@${pool}.example`
    const { issuer, url } = wire
    const { client_id } = WIRE_POOL
    await addCompanyAt({ id: pool, issuer, client_id, settings: { api_endpoint: url } }, email)
    const unusual = { password: TEMPORARY, status: 'FORCE_CHANGE_PASSWORD', mfa: 'SETUP' } as const
    wire.person(email, unusual, { given_name: '' })

    await goToPassword(page, email)
    await typePassword(page, 'a wrong guess')
    await expect(page.getByText('Incorrect username or password.')).toBeVisible()
    await settled(page)
    await typePassword(page, TEMPORARY)
    await page.waitForURL('**/login/forceNewPassword')
    await settled(page)
    await page.getByLabel('Given Name').fill('Ivy')
    await choosePassword(page, PASSWORD, 'Change Password')
    await expect(page.getByRole('heading', { name: 'Setup TOTP' })).toBeVisible()
    const secret = (await page.locator('#totp-secret').textContent()) ?? ''
    await typeCode(page, '12345', 'Confirm')
    await expect(page.getByText('Code mismatch')).toBeVisible()
    await typeCode(page, await generate({ secret }), 'Confirm')
    await expectIn(page)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  } finally {
    await wire.stop()
  }
})

test('people at a foreign Cognito server reset a password and sign up through our screens', async ({
  page,
}, info) => {
  const local = await startCognitoLocal()
  try {
    const pool = `local-${info.project.name}`
    const { id, ...its } = await local.createPool({}, false)
    const settings = { api_endpoint: local.endpoint, recognise_by_email: 'any' }
    const email = `fay@${pool}.example`
    await addCompanyAt({ ...its, id: pool, settings }, email)
    await local.createUser(id, email, TEMPORARY)

    await goToPassword(page, email, `?forgotPassword=${email}`)
    await page.getByRole('button', { name: 'Send Code' }).click()
    await page.waitForURL('**/login/confirmResetPassword')
    await settled(page)
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill(CODE)
    await choosePassword(page, PASSWORD, 'Submit')
    await expect(page.getByText('Your password was changed. Sign in with the new one.')).toBeVisible()
    await settled(page)
    await typePassword(page, PASSWORD)
    await expectIn(page)

    await page.context().clearCookies()
    await page.goto(`/auth/start/${pool}`)
    await fillSignUp(page, `nina@${pool}.example`)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByRole('heading', { name: 'We Emailed You' })).toBeVisible()
    await typeCode(page, CODE, 'Confirm')
    await expect(page.getByText('Your account is confirmed. You can sign in now.')).toBeVisible()
    await settled(page)
    await typePassword(page, PASSWORD)
    await page.waitForURL('**/login/verifyUser')
    await settled(page)
    await page.getByRole('button', { name: 'Skip' }).click()
    await expectIn(page)
  } finally {
    await local.stop()
  }
})
