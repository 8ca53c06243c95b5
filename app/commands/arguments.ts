/** The words after a command, as many as it takes; otherwise how it is called. */
import { parseArgs } from 'node:util'

type Words = { usage: string; least?: number; most: number }

/** Ends the process where `--help` was asked (0), or where the words are none of the command's (2). */
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
