import { expect, it } from 'vitest'
import { readConfig } from './config.server.ts'

const problemsOf = (env: Record<string, string>) => {
  try {
    readConfig({ NODE_ENV: 'test', ...env })
    return []
  } catch (error) {
    return (error as Error).message.split('\n').slice(1)
  }
}

it('names at once what is wrong by itself and what does not fit together', () => {
  const wrong = { PORT: 'many', ROLE: 'both', SMTP_URL: 'http://x', TWILIO_ACCOUNT_SID: 'x' }
  const problems = problemsOf(wrong)
  expect(problems.slice(0, 2)).toEqual([
    '  PORT: must be a whole number from 0 to 65535',
    '  ROLE: must be all, web or worker',
  ])
  expect(new Set(problems.map((line) => line.trim().split(':')[0]))).toEqual(
    new Set([
      'PORT',
      'ROLE',
      'SMTP_URL',
      'MAIL_FROM',
      'TWILIO_ACCOUNT_SID',
      'TWILIO_AUTH_TOKEN',
      'TWILIO_FROM',
    ]),
  )
})

it('says of each variable one thing', () => {
  const problems = problemsOf({ PUBLIC_ORIGIN: 'ftp://x', API_BASE_URL: 'nowhere', FILES_S3_URL: 'x' })
  const names = problems.map((line) => line.trim().split(':')[0])
  expect(names).toEqual([...new Set(names)])
  expect(names).toEqual(expect.arrayContaining(['PUBLIC_ORIGIN', 'API_BASE_URL', 'FILES_S3_URL']))
})

it('takes what fits together', () => {
  expect(problemsOf({ PORT: '3001', ROLE: 'web' })).toEqual([])
})

it('says what to write instead, in words that are no validator’s', () => {
  const wrong = {
    PUBLIC_ORIGIN: 'learn.example.com',
    DATABASE_READ_URL: 'replica',
    SENTRY_DSN: 'x',
    SUPER_ADMIN_EMAIL: 'sofia',
    LOG_LEVEL: 'verbose',
    DEMO: 'maybe',
    SMS_CARRIER: 'pigeon',
  }
  expect(problemsOf(wrong)).toEqual(
    expect.arrayContaining([
      '  PUBLIC_ORIGIN: must be a whole address, like https://learn.example.com',
      '  DATABASE_READ_URL: must be a whole address, like postgres://user:password@host/database',
      '  SENTRY_DSN: must be a whole address, like https://learn.example.com',
      '  SUPER_ADMIN_EMAIL: must be an e-mail address',
      '  LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent',
      '  DEMO: must be one of 0, 1, true, false, on, off, yes, no',
      '  SMS_CARRIER: must be one of twilio, vonage',
    ]),
  )
})
