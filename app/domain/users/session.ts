import { z } from 'zod'

export const Session = z.object({
  id: z.string(),
  browser: z.string().nullable(),
  is_current: z.boolean(),
  remember: z.boolean(),
  created_on: z.string(),
  last_seen_on: z.string(),
  expires_on: z.string(),
})
export type Session = z.infer<typeof Session>

export const SessionId = z.string().regex(/^[\da-f]{64}$/)

/** The order matters: Edge also claims to be Chrome, and Chrome to be Safari. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['Linux', 'Linux'],
] as const

/** `Mozilla/5.0 (Windows NT 10.0 …) … Firefox/140.0` -> "Firefox on Windows" */
export function browserName(user_agent: string | null): string | null {
  if (!user_agent) return null
  const browser = BROWSERS.find(([mark]) => user_agent.includes(`${mark}/`))?.[1]
  const system = SYSTEMS.find(([mark]) => user_agent.includes(mark))?.[1]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? user_agent.slice(0, 40)
}
