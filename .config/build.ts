/** `npm run build`; a start builds too when the build is missing or outdated. Imports only Node's own modules. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
export const BUILT = join(ROOT, 'build/server/index.js')
const SOURCES = ['app', 'public', 'vite.config.ts', '.config', 'package-lock.json']
const STEPS = [
  [join(ROOT, 'node_modules/@remix-run/dev/dist/cli.js'), 'vite:build'],
  [join(ROOT, 'app/web/precompress.ts')],
]

/** Throws with the tools' output when they fail. */
export async function buildWhenStale(signal?: AbortSignal): Promise<void> {
  if (!isStale()) return
  console.log('Building Liftwell, this takes a moment …')
  for (const step of STEPS) await run(step, signal)
}

/** Whether a source is newer than the build, or a folder from which one was removed. Tests do not count. */
function isStale(): boolean {
  if (!existsSync(BUILT)) return true
  const builtAt = statSync(BUILT).mtimeMs
  const isYounger = (path: string) => !path.endsWith('.test.ts') && statSync(path).mtimeMs > builtAt
  const sources = SOURCES.map((name) => join(ROOT, name)).filter((path) => existsSync(path))
  return sources.some(
    (path) =>
      isYounger(path) ||
      (statSync(path).isDirectory() &&
        readdirSync(path, { recursive: true, encoding: 'utf8' }).some((name) => isYounger(join(path, name)))),
  )
}

/** Always builds for production, also when tests call it. Returns the output. */
async function run(step: string[], signal?: AbortSignal): Promise<string> {
  const env = { ...process.env, NODE_ENV: 'production' as const, VITEST: '', NODE_COMPILE_CACHE: '' }
  const child = spawn(process.execPath, step, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'], signal })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text))
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (code === 0) return printed
  const message = `${printed}\nLiftwell could not be built, see above.`
  throw Object.assign(new Error(message), { name: 'StartError' })
}

async function build(): Promise<void> {
  for (const step of STEPS) console.log(await run(step))
}

if (process.argv[1] === import.meta.filename)
  await build().catch(({ message }: Error) => {
    console.error(message)
    process.exitCode = 1
  })
