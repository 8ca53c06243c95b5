/** A bucket on a server that speaks S3 and verifies every signature: `@20minutes/s3rver` of the npm registry. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Server = { run(): Promise<AddressInfo>; close(): Promise<void> }
type Options = {
  address: string
  port: number
  silent: boolean
  directory: string
  configureBuckets: { name: string }[]
  allowMismatchedSignatures: boolean
}

/** The account that is built into this server. */
export const ACCOUNT = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

export async function startBucket() {
  const S3rver: new (options: Options) => Server = createRequire(import.meta.url)('@20minutes/s3rver')
  const directory = mkdtempSync(join(tmpdir(), 'liftwell-bucket-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'lifts' }],
    allowMismatchedSignatures: false,
  })
  const { port } = await server.run()
  return {
    url: `http://127.0.0.1:${port}/lifts`,
    directory,
    async stop() {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
