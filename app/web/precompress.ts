/** The last step of a build: writes a brotli and a gzip copy beside every file that gains by it. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const CLIENT = 'build/client'
const COMPRESSIBLE = /\.(js|css|svg|json|txt|xml|ico|webmanifest)$/
/** Below this size compression saves too little for a file of its own. */
const WORTHWHILE_BYTES = 512

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

async function precompress(path: string): Promise<void> {
  const source = await readFile(path)
  const [br, gz] = await Promise.all([
    brotli(source, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: source.length } }),
    zip(source, { level: constants.Z_BEST_COMPRESSION }),
  ])
  if (br.length < source.length) await writeFile(`${path}.br`, br)
  if (gz.length < source.length) await writeFile(`${path}.gz`, gz)
}

const names = await readdir(CLIENT, { recursive: true })
for (const name of names.filter((name) => COMPRESSIBLE.test(name))) {
  const path = join(CLIENT, name)
  const { size } = await stat(path)
  if (size >= WORTHWHILE_BYTES) await precompress(path)
}
