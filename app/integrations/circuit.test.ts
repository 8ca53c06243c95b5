import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CarrierError, type Message } from './carrier.ts'
import { withCircuit } from './circuit.server.ts'
import { registry } from './metrics.server.ts'

const MESSAGE = { tenant_id: 't', key: 'k', channel: 'sms', to: '', subject: '', text: '' } as const
type Answer = (receipt: { provider_id: string }) => void

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A carrier that answers with `answer`, and whose check returns `why`. */
function made() {
  const events: string[] = []
  const log = (fields: Record<string, unknown>) =>
    void events.push([fields.event, fields.why].join(' ').trim())
  const it = {
    answer: async (_: Message): Promise<{ provider_id: string }> => ({ provider_id: 'p' }),
    check: async (): Promise<string | null> => null,
    handed: 0,
    events,
  }
  const carrier = withCircuit(
    {
      sendsOncePerKey: false,
      send: (message) => {
        it.handed += 1
        return it.answer(message)
      },
      find: async () => null,
      check: () => it.check(),
    },
    { name: 'sms', log: { info: log, warn: log } },
  )
  const send = () => carrier.send(MESSAGE).catch((error: CarrierError) => `${error.outcome} ${error.code}`)
  return { ...carrier, given: it, send }
}
const outage = (retryAfter?: number) => new CarrierError('busy', 'sms:ECONNREFUSED', retryAfter, true)
const never = () => new Promise<never>(() => {})
async function stateOf() {
  const text = await registry.getSingleMetricAsString('carrier_circuit')
  return /carrier_circuit\{carrier="sms",state="(\w+)"\} 1/.exec(text)?.[1]
}

describe('The circuit of a carrier', () => {
  it('opens after 4 seconds without any answer, and then hands no messages to the carrier', async () => {
    const { circuit, given, send } = made()
    given.answer = never
    given.check = never
    void send()
    await vi.advanceTimersByTimeAsync(3_900)
    expect([circuit.isOpen(), await stateOf()]).toEqual([false, 'closed'])
    await vi.advanceTimersByTimeAsync(200)
    expect([circuit.isOpen(), circuit.limit(), await stateOf()]).toEqual([true, 0, 'open'])
    expect(await send()).toBe('busy sms:away')
    expect([given.handed, given.events]).toEqual([1, ['carrier.away silent']])
    circuit.stop()
  })

  it('makes room for new messages next to those that still hang, once the carrier is back', async () => {
    const { circuit, given, send } = made()
    given.answer = never
    const most = circuit.limit()
    for (let nth = 0; nth < most; nth++) void send()
    await vi.advanceTimersByTimeAsync(4_100)
    given.answer = async () => ({ provider_id: 'p' })
    await vi.advanceTimersByTimeAsync(2_100)
    expect(circuit.limit() - most).toBe(1)
    await send()
    expect([circuit.limit() - most, given.events.at(-1)]).toEqual([2, 'carrier.back'])
    circuit.stop()
  })

  it('stays closed while other messages are answered, and opens once none are', async () => {
    const { circuit, given, send } = made()
    given.answer = never
    void send()
    for (let seconds = 0; seconds < 12; seconds += 3) {
      await vi.advanceTimersByTimeAsync(3_000)
      given.answer = async () => ({ provider_id: 'p' })
      await send()
      given.answer = never
      expect(circuit.isOpen()).toBe(false)
    }
    await vi.advanceTimersByTimeAsync(4_100)
    expect(circuit.isOpen()).toBe(true)
    circuit.stop()
  })

  it('opens after five outages in a row, but not after refusals', async () => {
    const { circuit, given, send } = made()
    given.answer = async () => {
      throw new CarrierError('refused', 'sms:21617')
    }
    for (let nth = 0; nth < 20; nth++) expect(await send()).toBe('refused sms:21617')
    expect(circuit.isOpen()).toBe(false)
    given.answer = async () => {
      throw outage()
    }
    for (let nth = 0; nth < 4; nth++) await send()
    expect(circuit.isOpen()).toBe(false)
    await send()
    expect([circuit.isOpen(), given.events]).toEqual([true, ['carrier.away sms:ECONNREFUSED']])
    circuit.stop()
  })

  it('waits as long as the carrier asks for', async () => {
    const { circuit, given, send } = made()
    given.answer = async () => {
      throw outage(30)
    }
    await send()
    await vi.advanceTimersByTimeAsync(29_000)
    expect(circuit.isOpen()).toBe(true)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(circuit.isOpen()).toBe(false)
  })

  it('checks without a message whether the carrier is back, and then tries one message', async () => {
    const { circuit, given, send } = made()
    let isBack = false
    given.answer = async () => {
      throw outage()
    }
    given.check = async () => (isBack ? null : 'sms:ECONNREFUSED')
    for (let nth = 0; nth < 5; nth++) await send()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([circuit.isOpen(), given.handed]).toEqual([true, 5])
    isBack = true
    await vi.advanceTimersByTimeAsync(60_000)
    expect([await stateOf(), circuit.limit()]).toEqual(['half_open', 1])
    // It accepts connections again, but no messages.
    await send()
    expect([await stateOf(), given.handed]).toEqual(['open', 6])
    given.answer = async () => ({ provider_id: 'p' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await send()).toEqual({ provider_id: 'p' })
    expect([await stateOf(), circuit.limit()]).toEqual(['closed', 2])
    expect(given.events.at(-1)).toBe('carrier.back')
  })

  it('is closed by a late answer', async () => {
    const { circuit, given, send } = made()
    let answer: Answer = () => {}
    given.answer = () => new Promise((resolve) => (answer = resolve))
    given.check = never
    const sent = send()
    await vi.advanceTimersByTimeAsync(4_100)
    expect(circuit.isOpen()).toBe(true)
    answer({ provider_id: 'late' })
    expect(await sent).toEqual({ provider_id: 'late' })
    expect([circuit.isOpen(), circuit.limit()]).toEqual([false, 1])
  })

  it('does not open for a message that was begun before the carrier was tried again', async () => {
    const { circuit, given, send } = made()
    let fail = (_: CarrierError) => {}
    given.answer = () => new Promise((_, reject) => (fail = reject))
    const late = send()
    await vi.advanceTimersByTimeAsync(4_100)
    expect(await stateOf()).toBe('open')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await stateOf()).toBe('half_open')
    fail(outage())
    await late
    expect(await stateOf()).toBe('half_open')
    given.answer = async () => ({ provider_id: 'p' })
    await send()
    expect([await stateOf(), circuit.isOpen()]).toEqual(['closed', false])
  })

  it('tries a carrier that passes its check but takes no messages often at first, and rarely later', async () => {
    const { given, send } = made()
    given.answer = async () => {
      throw outage()
    }
    for (let nth = 0; nth < 5; nth++) await send()
    const handedWithin = async (seconds: number) => {
      const before = given.handed
      for (let nth = 0; nth < seconds; nth++) {
        await vi.advanceTimersByTimeAsync(1_000)
        await send()
      }
      return given.handed - before
    }
    expect(await handedWithin(20)).toBeGreaterThanOrEqual(6)
    await handedWithin(200)
    expect(await handedWithin(120)).toBeLessThanOrEqual(2)
  })

  it('allows more messages at a time with each success, up to ten, and fewer after a failure', async () => {
    const { circuit, given, send } = made()
    expect(circuit.limit()).toBe(4)
    for (let nth = 0; nth < 20; nth++) await send()
    expect(circuit.limit()).toBe(10)
    given.answer = async () => {
      throw outage()
    }
    await send()
    expect(circuit.limit()).toBe(5)
  })

  it('gives up waiting messages when the process stops, and takes no new ones', async () => {
    const { circuit, given, send } = made()
    given.answer = never
    const waiting = send()
    circuit.stop()
    expect([await waiting, await send(), given.handed]).toEqual([
      'unclear sms:stopped',
      'busy sms:stopped',
      1,
    ])
  })
})
