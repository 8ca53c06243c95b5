import { describe, expect, it } from 'vitest'
import { countSegments } from './segments.ts'
import { fillTemplate, withLink } from './template.ts'

describe('The segments of a text message', () => {
  it.each([
    ['', 'GSM-7', 0, 160],
    ['a'.repeat(160), 'GSM-7', 1, 0],
    ['a'.repeat(161), 'GSM-7', 2, 145],
    ['a'.repeat(306), 'GSM-7', 2, 0],
    ['€'.repeat(80), 'GSM-7', 1, 0],
    // An escaped character is not split: a part of 153 holds 76.
    ['€'.repeat(81), 'GSM-7', 2, 143],
    ['ÄÖÜß', 'GSM-7', 1, 156],
    ['ő', 'UCS-2', 1, 69],
    ['ő'.repeat(71), 'UCS-2', 2, 63],
    ['👍'.repeat(35), 'UCS-2', 1, 0],
    ['👍'.repeat(36), 'UCS-2', 2, 61],
  ])('are counted for %s', (text, encoding, segments, remaining) => {
    expect(countSegments(text)).toMatchObject({ encoding, segments, remaining })
  })
})

describe('A message template', () => {
  const values = {
    first_name: '{{link}}',
    journey: 'J',
    lift: 'L',
    sponsor: 'S',
    link: 'https://x.example/lift/1',
  }

  it('fills its five fields once, and leaves everything else unchanged', () => {
    expect(fillTemplate('{{first_name}} {{ lift }} {{password}} {{__proto__}} {link}', values)).toBe(
      '{{link}} L {{password}} {{__proto__}} {link}',
    )
  })

  it('gets a link if it has none', () => {
    expect(withLink('Hello')).toBe('Hello {{link}}')
    expect(withLink('Go {{ link }} now')).toBe('Go {{ link }} now')
    expect(withLink('  ')).toBe('{{link}}')
  })

  it.each([
    // One GSM-7 character; with a combining accent it is two characters, and not GSM-7.
    ['é', 'GSM-7', 1],
    ['e\u0301', 'UCS-2', 2],
    ['🙂', 'UCS-2', 2],
    ['👩‍👩‍👧‍👦', 'UCS-2', 11],
    ['🇦🇹', 'UCS-2', 4],
    ['각', 'UCS-2', 1],
    ['각'.normalize('NFD'), 'UCS-2', 3],
  ])('counts the characters that are sent for %s', (text, encoding, length) => {
    expect(countSegments(text)).toMatchObject({ encoding, length, segments: 1 })
  })

  it('is not split within an emoji', () => {
    expect(countSegments('🙂'.repeat(35)).segments).toBe(1)
    // Of a part's 67 units, 33 pairs use 66: one unit stays free.
    expect(countSegments('🙂'.repeat(66)).segments).toBe(2)
    expect(countSegments('🙂'.repeat(67)).segments).toBe(3)
  })
})
