/** The two carriers outside: a mail server and Twilio's API, which take, hang, drop or refuse as they are told. */
import { type Hooks, startMailServer } from '#tests/support/mail-server.ts'
import { ACCOUNT, type Behavior, refusal, startTwilio, TOKEN } from '#tests/support/twilio-server.ts'

/** `drop` takes the message and breaks the connection before it says so; `busy` and `broken` take nothing. */
export type Mood = 'take' | 'hang' | 'drop' | 'busy' | 'broken'
export type Channel = 'email' | 'sms'

export type Carried = { channel: Channel; to: string; lift: number; kind: 'lift' | 'reminder' }

const TEXTS: Record<Mood, Behavior> = {
  take: 'take',
  hang: 'hang',
  drop: 'take and drop',
  busy: refusal(429, 20429, 'Too Many Requests', 1),
  broken: refusal(500, 20500, 'Internal Server Error'),
}
const MAILS: Record<Mood, ReturnType<NonNullable<Hooks['at']>>> = {
  take: undefined,
  hang: 'hang',
  drop: 'drop',
  busy: { code: 451, text: '4.7.1 try again later' },
  broken: { code: 421, text: '4.3.2 closing' },
}

export type Carriers = Awaited<ReturnType<typeof startCarriers>>

export async function startCarriers() {
  const moods: Record<Channel, Mood> = { email: 'take', sms: 'take' }
  const mail = await startMailServer({
    at(step) {
      const { email: mood } = moods
      // What drops after taking has taken it all; the others say so before the message comes.
      return step === (mood === 'drop' ? 'END' : 'MAIL') ? MAILS[mood] : undefined
    },
  })
  const twilio = await startTwilio(({ method }) => (method === 'POST' ? TEXTS[moods.sms] : 'take'))
  return {
    env: {
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      MAIL_FROM: 'Liftwell <lifts@carriers.example.net>',
      TWILIO_API_URL: twilio.url,
      TWILIO_ACCOUNT_SID: ACCOUNT,
      TWILIO_AUTH_TOKEN: TOKEN,
      TWILIO_FROM: '+15005550006',
    },
    /** How a carrier treats messages from now on. */
    be(channel: Channel, mood: Mood): void {
      moods[channel] = mood
    },
    /** Every message of a lift that a carrier has taken, said or unsaid. */
    carried: (): Carried[] => [...mail.taken.flatMap(readMail), ...twilio.taken.flatMap(readText)],
    hasTaken: (channel: Channel, to: string): boolean =>
      channel === 'email'
        ? mail.taken.some((one) => one.to.includes(to))
        : twilio.taken.some((one) => one.to === to),
    /** The recipients of invitations, each as often as one was taken. */
    invited: (): string[] =>
      mail.taken.filter(({ raw }) => /^Subject: Welcome to /m.test(raw)).flatMap(({ to }) => to),
    async stop(): Promise<void> {
      await Promise.all([mail.stop(), twilio.stop()])
    },
  }
}

function readMail({ to: [to = ''], raw }: { to: string[]; raw: string }): Carried[] {
  const lift = liftIn(raw.replaceAll('=\r\n', ''))
  if (lift === null) return []
  const kind = /^Subject: Reminder: /m.test(raw) ? 'reminder' : 'lift'
  return [{ channel: 'email', to, lift, kind }]
}

function readText({ to, body }: { to: string; body: string }): Carried[] {
  const lift = liftIn(body)
  return lift === null ? [] : [{ channel: 'sms', to, lift, kind: 'lift' }]
}

function liftIn(text: string): number | null {
  const id = /\/lift\/(\d+)/.exec(text)?.[1]
  return id === undefined ? null : Number(id)
}
