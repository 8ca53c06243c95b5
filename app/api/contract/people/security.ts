import { callsAbout } from '#app/api/contract/call.ts'
import { ABOUT_ONESELF, NOTHING } from '#app/api/contract/parts.ts'
import {
  AppCode,
  AppSecret,
  FactorInput,
  NewPasswordInput,
  PasswordInput,
  Security,
} from '#app/domain/account/security.ts'

const { get, post, put } = callsAbout('Users')

export const getSecurity = get('/users/me/security', {
  does: 'The caller’s second factor, and whether one is required',
  may: 'signed in',
  answers: Security,
  early: ABOUT_ONESELF,
})

export const chooseSecondFactor = put('/users/me/security/second_factor', {
  does: 'The second factor to be asked for, or none; needs the password',
  may: 'signed in',
  body: FactorInput,
  answers: Security,
  early: ABOUT_ONESELF,
  audited: true,
})

export const setUpApp = post('/users/me/security/app', {
  does: 'The secret for a new authenticator app; needs the password. The old app stays valid until a code confirms the new one',
  may: 'signed in',
  body: PasswordInput,
  answers: AppSecret,
  status: 201,
  early: ABOUT_ONESELF,
  audited: false,
  repeats: 'each time',
})

export const getAppSetUp = get('/users/me/security/app', {
  does: 'The secret that waits for a code, for a quarter of an hour',
  may: 'signed in',
  answers: AppSecret,
  early: ABOUT_ONESELF,
})

export const confirmApp = post('/users/me/security/app/confirm', {
  does: 'A code of the new app: from now on it is the second factor',
  may: 'signed in',
  body: AppCode,
  answers: Security,
  early: ABOUT_ONESELF,
  repeats: 'each time',
  audited: true,
})

export const changePassword = put('/users/me/security/password', {
  does: 'A new password; ends all sessions of the old one',
  may: 'signed in',
  body: NewPasswordInput,
  answers: NOTHING,
  early: ABOUT_ONESELF,
  audited: true,
})
