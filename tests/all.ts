/** `npm test`: everything, and how long each part took. A part that fails ends the run. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const took: string[] = []

async function run(name: string, command: string): Promise<void> {
  const began = performance.now()
  const [code] = await once(spawn(command, { shell: true, stdio: 'inherit' }), 'exit')
  took.push(`  ${name}: ${Math.round((performance.now() - began) / 1000)} s${code === 0 ? '' : ', failed'}`)
  if (code !== 0) process.exitCode = 1
}

const PARTS = [
  [
    ['check', 'npm run check'],
    ['build', 'npm run build'],
  ],
  [['unit, API and screens', 'vitest run']],
  [['stories in a browser', 'npm run e2e']],
] as const

for (const beside of PARTS) {
  if (process.exitCode) break
  await Promise.all(beside.map(([name, command]) => run(name, command)))
}
console.log(['', ...took].join('\n'))
