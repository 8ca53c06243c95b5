/** The external carriers: a mail server, Twilio's API and Vonage's, which take, hang, drop or refuse on demand. */
import { type Hooks, startMailServer, type Taken } from '#tests/fakes/mail-server.ts'
import { ACCOUNT, type Behavior, refusal, startTwilio, TOKEN } from '#tests/fakes/twilio-server.ts'
import {
  APPLICATION,
  KEY,
  KEY_SECRET,
  PRIVATE_KEY,
  problem,
  SECRET,
  startVonage,
  type VonageBehavior,
} from '#tests/fakes/vonage-server.ts'

/** `drop` takes the message and breaks the connection before acknowledging; `busy` and `broken` take nothing. */
export type Mood = 'take' | 'hang' | 'drop' | 'busy' | 'broken'
export type Channel = 'email' | 'sms'

export type Carried = {
  channel: Channel
  to: string
  lift: number
  kind: 'lift' | 'reminder'
  /** For a text, the number at the end of its link. */
  dispatch?: number
}
export type Carrier = 'smtp' | 'twilio' | 'vonage'

export type CarrierOptions = {
  /** What their clocks show. */
  now?: () => Date
  /** Called for each message of a lift after it is taken and before it is acknowledged. */
  onTaken?: (message: Carried, carrier: Carrier) => void
}

const TEXTS: Record<Mood, Behavior> = {
  take: 'take',
  hang: 'hang',
  drop: 'take and drop',
  busy: refusal(429, 20429, 'Too Many Requests', 1),
  broken: refusal(500, 20500, 'Internal Server Error'),
}
const VONAGE_TEXTS: Record<Mood, VonageBehavior> = {
  take: 'take',
  hang: 'hang',
  drop: 'take and drop',
  busy: problem(429, 1000, 'Throttled', 1),
  broken: { status: 500, body: {} },
}
const MAILS: Record<Mood, ReturnType<NonNullable<Hooks['at']>>> = {
  take: undefined,
  hang: 'hang',
  drop: 'drop',
  busy: { code: 451, text: '4.7.1 try again later' },
  broken: { code: 421, text: '4.3.2 closing' },
}

export type Carriers = Awaited<ReturnType<typeof startCarriers>>

export async function startCarriers({ now = () => new Date(), onTaken = () => {} }: CarrierOptions = {}) {
  const moods: Record<Channel, Mood> = { email: 'take', sms: 'take' }
  const tell = (carrier: Carrier, messages: readonly Carried[]) => {
    for (const message of messages) onTaken(message, carrier)
  }
  const mail = await startMailServer({
    at(step) {
      const { email: mood } = moods
      // `drop` comes after the whole message; the others answer before it is sent.
      return step === (mood === 'drop' ? 'END' : 'MAIL') ? MAILS[mood] : undefined
    },
    onTaken: (taken) => tell('smtp', readMail(taken)),
  })
  const twilio = await startTwilio(({ method }) => (method === 'POST' ? TEXTS[moods.sms] : 'take'), {
    now,
    onTaken: (taken) => tell('twilio', readText(taken)),
  })
  const vonage = await startVonage(() => VONAGE_TEXTS[moods.sms], {
    now,
    onTaken: ({ to = '', text: body = '' }) => tell('vonage', readText({ to: `+${to}`, body })),
  })
  return {
    env: {
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      MAIL_FROM: 'Liftwell <lifts@carriers.example.net>',
      TWILIO_API_URL: twilio.url,
      TWILIO_ACCOUNT_SID: ACCOUNT,
      TWILIO_AUTH_TOKEN: TOKEN,
      TWILIO_FROM: '+15005550006',
    },
    /** Settings that switch the carrier of texts. */
    vonage: {
      SMS_CARRIER: 'vonage',
      VONAGE_API_URL: vonage.url,
      VONAGE_APPLICATION_ID: APPLICATION,
      VONAGE_PRIVATE_KEY: PRIVATE_KEY,
      VONAGE_FROM: '+15005550006',
      VONAGE_SIGNATURE_SECRET: SECRET,
      VONAGE_API_KEY: KEY,
      VONAGE_API_SECRET: KEY_SECRET,
    },
    /** Sets how a carrier treats messages from now on. */
    be(channel: Channel, mood: Mood): void {
      moods[channel] = mood
    },
    /** Every message of a lift that a carrier has taken, acknowledged or not. */
    carried: (): Carried[] => [...mail.taken.flatMap(readMail), ...twilio.taken.flatMap(readText)],
    hasTaken: (channel: Channel, to: string): boolean =>
      channel === 'email'
        ? mail.taken.some((one) => one.to.includes(to))
        : twilio.taken.some((one) => one.to === to),
    /** The recipients of invitations, once for each one taken. */
    invited: (): string[] =>
      mail.taken.filter(({ raw }) => /^Subject: Welcome to /m.test(raw)).flatMap(({ to }) => to),
    async stop(): Promise<void> {
      await Promise.all([mail.stop(), twilio.stop(), vonage.stop()])
    },
  }
}

function readMail({ to: [to = ''], raw }: Pick<Taken, 'to' | 'raw'>): Carried[] {
  const lift = liftIn(raw.replaceAll('=\r\n', ''))
  if (lift === null) return []
  const kind = /^Subject: Reminder: /m.test(raw) ? 'reminder' : 'lift'
  return [{ channel: 'email', to, lift, kind }]
}

function readText({ to, body }: { to: string; body: string }): Carried[] {
  const lift = liftIn(body)
  const dispatch = /\/lift\/\d+\?m=([0-9a-z]+)$/.exec(body)?.[1]
  if (lift === null) return []
  return [
    { channel: 'sms', to, lift, kind: 'lift', ...(dispatch && { dispatch: Number.parseInt(dispatch, 36) }) },
  ]
}

function liftIn(text: string): number | null {
  const id = /\/lift\/(\d+)/.exec(text)?.[1]
  return id === undefined ? null : Number(id)
}
