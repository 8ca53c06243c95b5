import { describe, expect, it } from 'vitest'
import { foldConsent } from './consent.ts'
import { journeyCode, readText } from './reading.ts'

describe('A text message', () => {
  it.each([
    ['STOP'],
    ['stop'],
    ['Stop!!!'],
    [' “STOP.” '],
    ['ＳＴＯＰ'],
    ['Stop. Thank you'],
    ['please stop'],
    ['STOP ALL'],
    ['StopAll'],
    ['Unsubscribe'],
    ['cancel'],
    ['END'],
    ['Quit, please.'],
    ['revoke'],
    ['OPTOUT'],
    ['opt-out'],
    ['Opt out'],
    ['stop texting me'],
    ['Stop stop'],
    ['STOP STOP STOP!'],
    ['Stop sending me these texts'],
    ['stop your messages'],
    ['stop 🛑'],
    ['ARRET'],
    ['Arrêt!'],
    ['STOPP'],
    ['Parar'],
    ['STOP\n-- \nAna García'],
    ['Please stop.\r\n\r\nSent from my phone'],
  ])('%s stops all messages', (text) => {
    expect(readText(text)).toEqual({ kind: 'stop' })
  })

  it.each([
    ['I will stop interrupting'],
    ["Don't stop"],
    ['I did not stop'],
    ['In the end it worked'],
    ['The end'],
    ['Stop the noise'],
    ['Your help'],
    ['stop and start'],
    ['cancel the meeting'],
    ['I will cancel my 3 o’clock'],
    ['stopping'],
    ['yes I did it'],
    ['constructor'],
    ['__proto__'],
    ['12'],
    ['stop 12 13'],
    ['I stopped twice.\nStop'],
    ['Alto'],
    ['start J12'],
    [''],
    ['🛑'],
  ])('%s is an answer, and stops nothing', (text) => {
    expect(readText(text)).toEqual({ kind: 'other' })
  })

  it('with the code of a journey after STOP leaves only that journey', () => {
    for (const text of [`STOP ${journeyCode(12)}`, 'stop j12.', 'Stop 12, thank you'])
      expect(readText(text)).toEqual({ kind: 'leave', journey_id: 12 })
  })

  it('can start the messages again, or ask for help', () => {
    for (const text of ['START', 'unstop', 'Yes, please!']) expect(readText(text)).toEqual({ kind: 'start' })
    for (const text of ['help', 'INFO?']) expect(readText(text)).toEqual({ kind: 'help' })
  })
})

describe('The consent for a number', () => {
  it('is the latest decision; imports decide nothing', () => {
    expect(foldConsent([])).toBe('unknown')
    expect(foldConsent(['import'])).toBe('unknown')
    expect(foldConsent(['opt_in', 'import'])).toBe('opted_in')
    expect(foldConsent(['opt_in', 'opt_out', 'import'])).toBe('opted_out')
    expect(foldConsent(['opt_out', 'opt_in'])).toBe('opted_in')
    expect(foldConsent(['opt_in', 'reassigned'])).toBe('reassigned')
    expect(foldConsent(['opt_in', 'invalid', 'opt_in'])).toBe('opted_in')
  })
})
