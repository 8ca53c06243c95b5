/** Parses a command's arguments, and prints its usage when they do not fit. */
import { parseArgs } from 'node:util'

type Words = { usage: string; least?: number; most: number }

/** Exits with 0 for `--help`, and with 2 when the arguments do not fit. */
export function readArguments({ usage, least = 0, most }: Words): string[] {
  try {
    const { values, positionals } = parseArgs({
      options: { help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    if (!values.help && positionals.length >= least && positionals.length <= most) return positionals
    if (values.help) process.stdout.write(`Usage: ${usage}\n`)
    else process.stderr.write(`Usage: ${usage}\n`)
    process.exit(values.help ? 0 : 2)
  } catch {
    process.stderr.write(`Usage: ${usage}\n`)
    process.exit(2)
  }
}
