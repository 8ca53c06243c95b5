/** Authors' files in a bucket, on a foreign server that speaks S3. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '#app/config.server.ts'
import { createS3Store } from '#app/integrations/stores/s3-store.server.ts'
import { ACCOUNT, startBucket } from '#tests/fakes/bucket.ts'
import { itKeepsFilesElsewhere } from './files-elsewhere.ts'

const KEY = '11111111-1111-4111-8111-111111111111/22222222-2222-4222-8222-222222222222'
type Bucket = Awaited<ReturnType<typeof startBucket>>

describe('A bucket of files', () => {
  let bucket: Bucket
  itKeepsFilesElsewhere({
    async open() {
      bucket = await startBucket()
      Object.assign(process.env, {
        FILES_S3_URL: `${bucket.url}/kept here`.replace(' ', '-'),
        FILES_S3_ACCESS_KEY_ID: ACCOUNT.accessKeyId,
        FILES_S3_SECRET_ACCESS_KEY: ACCOUNT.secretAccessKey,
      })
    },
    close: async () => {},
    stored: () =>
      readdirSync(bucket.directory, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('_object'))
        .map((name) => readFileSync(join(bucket.directory, name))),
    breakDown: () => bucket.stop(),
  })
})

describe('The store in a bucket', () => {
  let bucket: Bucket
  beforeAll(async () => {
    bucket = await startBucket()
  })
  afterAll(() => bucket?.stop())

  const settings = (more = {}) => ({ url: bucket.url, region: 'us-east-1', ...ACCOUNT, ...more })

  it('stores a file, returns a part of it, and can remove it twice', async () => {
    const store = createS3Store(settings())
    await store.put(KEY, Buffer.from('0123456789'))
    expect((await store.get(KEY, 2, 4)).toString()).toBe('234')
    await store.remove(KEY)
    await store.remove(KEY)
    await expect(store.get(KEY, 0, 1)).rejects.toThrow('GET with 404: NoSuchKey')
  })

  it('fails with a wrong secret, and does not reveal it in the error', async () => {
    const store = createS3Store(settings({ secretAccessKey: 'a-wrong-secret' }))
    const refused = store.put(KEY, Buffer.from('x'))
    await expect(refused).rejects.toThrow('PUT with 403: SignatureDoesNotMatch')
    await expect(refused).rejects.not.toThrow(/a-wrong-secret/)
    await expect(refused).rejects.toMatchObject({ status: 503 })
  })
})

describe('The configuration of a bucket', () => {
  const problems = (env: Record<string, string>) => {
    try {
      readConfig({ NODE_ENV: 'test', ...env })
      return 'none'
    } catch (error) {
      if (error instanceof ConfigError) return error.message
      throw error
    }
  }
  const whole = {
    FILES_S3_URL: 'https://s3.eu-central-1.amazonaws.com/lifts',
    FILES_S3_ACCESS_KEY_ID: 'id',
    FILES_S3_SECRET_ACCESS_KEY: 'secret',
  }

  it('is accepted only if it is complete and consistent', () => {
    expect(problems(whole)).toBe('none')
    expect(problems({ FILES_S3_URL: whole.FILES_S3_URL })).toContain('FILES_S3_ACCESS_KEY_ID: is needed')
    expect(problems({ ...whole, FILES_DIR: 'files' })).toContain('cannot be set together with FILES_DIR')
    expect(problems({ ...whole, FILES_S3_URL: 'http://s3.example/lifts' })).toContain('must be https')
    expect(problems({ ...whole, FILES_S3_URL: 'https://s3.example/lifts?x=1' })).toContain('nothing more')
  })
})
