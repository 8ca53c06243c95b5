/** Refuses settings with which nobody could sign in, or that lead into our own network. */
import { OutsideError, requireOutside } from '#app/auth/outside.server.ts'
import { getConfig } from '#app/config.server.ts'
import { invalid } from '#app/domain/errors.ts'
import { type PoolInput, whatIsMissing, whatIsTooWeak } from '#app/domain/pools/pool.ts'
import { ADDRESSES } from './pool-settings.server.ts'

export const isShared = ({ kind, is_shared }: PoolInput) => kind === 'embedded' && is_shared

export function requireSound(input: PoolInput): void {
  const wrong = { ...whatIsMissing(input), ...(isShared(input) ? {} : whatIsTooWeak(input)) }
  if (input.kind !== 'embedded') {
    for (const name of ['issuer', ...ADDRESSES] as const) {
      const why = input[name] ? whyNotOutside(input[name]) : null
      if (why) wrong[name] ??= [why]
    }
    if (input.issuer.startsWith(`${getConfig().PUBLIC_ORIGIN}/`))
      wrong.issuer = ['This is our own provider: choose the embedded one.']
  }
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
}

function whyNotOutside(address: string): string | null {
  try {
    requireOutside(address)
    return null
  } catch (error) {
    if (error instanceof OutsideError) return error.message
    throw error
  }
}
