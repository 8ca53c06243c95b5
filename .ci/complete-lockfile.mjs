/**
 * `npm install` leaves out of the lockfile the optional packages of other platforms that the
 * registry at hand could not serve, and `npm ci` then refuses the lockfile. This adds an entry for
 * each, so that `npm ci` passes everywhere, and says which are for musl: npm forgets that, and then
 * installs them beside those for glibc. Run it after every change of the dependencies.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))
const SYSTEMS = {
  android: 'android',
  darwin: 'darwin',
  macos: 'darwin',
  win32: 'win32',
  windows: 'win32',
  linux: 'linux',
  linuxmusl: 'linux',
  freebsd: 'freebsd',
  openbsd: 'openbsd',
  netbsd: 'netbsd',
  openharmony: 'openharmony',
  sunos: 'sunos',
  aix: 'aix',
  wasi: 'wasi',
  wasm32: 'wasi',
  webcontainers: 'wasi',
}
const PROCESSORS = [
  'arm64',
  'x64',
  'ia32',
  'arm',
  'ppc64',
  'riscv64',
  's390x',
  'loong64',
  'mips64el',
  'wasm32',
]

function isLocked(from, name) {
  for (let path = from; ; path = path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')))) {
    if (lock.packages[`${path ? `${path}/` : ''}node_modules/${name}`]) return true
    if (!path) return false
    if (!path.includes('/node_modules/')) path = ''
  }
}

let added = 0
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(path, name) || lock.packages[`node_modules/${name}`]) continue
    const words = name.toLowerCase().split(/[-/@]/)
    const os = words.map((word) => SYSTEMS[word]).find(Boolean)
    const cpu = PROCESSORS.find((one) => words.includes(one)) ?? (words.includes('armv7') ? 'arm' : undefined)
    if (!os && !cpu) console.warn(`platform of ${name} is unknown`)
    lock.packages[`node_modules/${name}`] = {
      version: range.replace(/^[^\d]*/, ''),
      ...(cpu && { cpu: [cpu] }),
      ...(entry.dev && { dev: true }),
      optional: true,
      ...(os && { os: [os === 'wasi' ? 'none' : os] }),
    }
    added++
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
for (const [path, entry] of Object.entries(lock.packages)) {
  if (!entry.link) delete entry.resolved
  if (entry.optional && path.includes('musl')) entry.libc = ['musl']
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} entries added`)
