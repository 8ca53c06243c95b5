import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import sharp from 'sharp'
import { accountOf } from '../people.ts'
import { test } from '../product.ts'

test('curl alone signs in, creates a tenant with a logo, edits it and sees it in the list', async ({
  baseURL,
}, info) => {
  test.skip(info.project.name !== 'without-javascript', 'curl has no JavaScript')
  const folder = mkdtempSync(join(tmpdir(), 'liftwell-curl-'))
  const jar = join(folder, 'cookies')
  const curl = (...args: string[]) =>
    execFileSync(
      'curl',
      [
        '-s',
        '-L',
        '-b',
        jar,
        '-c',
        jar,
        '-H',
        `Origin: ${baseURL}`,
        '-w',
        '\n%{url_effective} %{http_code}',
        ...args,
      ],
      {
        encoding: 'utf8',
      },
    )
  const ended = (output: string) => output.slice(output.lastIndexOf('\n') + 1).split(' ')
  const { email, password } = accountOf('sofia@liftwell.example')

  const [form = ''] = ended(curl('--data-urlencode', `email=${email}`, `${baseURL}/login`))
  const [home, status] = ended(
    curl('--data-urlencode', `username=${email}`, '--data-urlencode', `password=${password}`, form),
  )
  expect([new URL(home ?? '').pathname.replace(/\/$/, ''), status]).toEqual(['/tenants', '200'])

  const logo = join(folder, 'logo.png')
  writeFileSync(
    logo,
    await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  )
  const name = `Curl ${Date.now()}`
  const fields = [
    '-F',
    `name=${name}`,
    '-F',
    'customer_type=Single Tenant',
    '-F',
    'status=active',
    '-F',
    'timezone=UTC',
  ]
  expect(ended(curl(...fields, '-F', `logo=@${logo};type=image/png`, `${baseURL}/tenants/add`))[1]).toBe(
    '200',
  )

  const search = `${baseURL}/tenants?q=${encodeURIComponent(name)}`
  const list = curl(search)
  expect(list).toContain(name)
  const edit = /\/tenants\/edit\/[0-9a-f-]{36}/.exec(list)?.[0]
  const page = curl(`${baseURL}${edit}`)
  const version = /name="lock_version"[^>]*value="(\d+)"/.exec(page)?.[1] ?? ''
  curl('-F', `name=${name} Ltd`, ...fields.slice(2), '-F', `lock_version=${version}`, `${baseURL}${edit}`)
  expect(curl(search)).toContain(`${name} Ltd`)
})
