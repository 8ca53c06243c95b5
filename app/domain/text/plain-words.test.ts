import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inOurWords, inPlainWords } from './plain-words.ts'
import { REQUIRED } from './text.ts'

const said = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: inPlainWords }).error?.issues.map(({ message }) => message)

describe('The message of a mistake', () => {
  it.each([
    [z.number(), Number.NaN, 'Please enter a number'],
    [z.number(), 'ten', 'Please enter a number'],
    [z.number().int(), 1.5, 'Please enter a whole number'],
    [z.number().min(1), 0, 'Please enter at least 1'],
    [z.number().positive(), 0, 'Please enter more than 0'],
    [z.number().max(1_000_000), 2_000_000, 'Please enter at most 1,000,000'],
    [z.string().max(3), 'four', 'Please use at most 3 characters'],
    [z.array(z.string()).min(1), [], 'Please choose at least 1'],
    [z.enum(['a', 'b']), 'c', 'Please choose one of these'],
    [z.string(), undefined, 'This field is required'],
    [z.iso.date(), 'soon', 'Please check this'],
  ])('%# is plain', (schema, value, words) => expect(said(schema, value)).toEqual([words]))

  it('is plain even if it is written after the check, and is kept if the schema has its own', () => {
    const schema = z.object({
      count: z.number(),
      on: z.boolean(),
      names: z.array(z.string().max(3)),
      mood: z.enum(['a', 'b']),
      own: z.string({ error: 'Say something' }),
      coerced: z.coerce.number(),
      whole: z.coerce.number().int(),
    })
    const sent = {
      coerced: 'x',
      whole: '1.5',
      count: 'ten',
      on: 'yes',
      names: ['anna', 7],
      mood: 'c',
      own: 1,
    }
    const issues = schema.safeParse(sent).error?.issues ?? []
    expect(inOurWords(issues, sent).map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([
      'count: Please enter a number',
      'on: Please send true or false',
      'names.0: Please use at most 3 characters',
      'names.1: Please enter text',
      'mood: Please choose one of these',
      'own: Say something',
      'coerced: Please enter a number',
      'whole: Please enter a whole number',
    ])
  })

  it('is “required” only if nothing was sent', () => {
    const text = z.string({ error: REQUIRED }).trim().min(1, REQUIRED)
    const schema = z.object({
      ...{ name: text, title: text, note: text, kind: z.enum(['a'], { error: REQUIRED }), none: text },
    })
    const sent = { name: 5, title: null, note: ' ', kind: 'b' }
    const issues = schema.safeParse(sent).error?.issues ?? []
    expect(inOurWords(issues, sent).map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'name: Please enter text',
      'title: This field is required',
      'note: This field is required',
      'kind: Please choose one of these',
      'none: This field is required',
    ])
  })

  it('is reported once for a value of the wrong kind', () => {
    const schema = z.object({ phones: z.array(z.string()).max(5, 'Please use at most 5 numbers') })
    const sent = { phones: '+31612345678' }
    const issues = schema.safeParse(sent).error?.issues ?? []
    expect(inOurWords(issues, sent).map(({ message }) => message)).toEqual(['Please send a list'])
  })

  it('names a single value without an index where a list was expected', () => {
    const moods = z.preprocess((sent) => [sent].flat(), z.array(z.enum(['a', 'b'])))
    const schema = z.object({ mood: moods, moods })
    const sent = { mood: 'c', moods: ['a', 'd'] }
    const issues = schema.safeParse(sent).error?.issues ?? []
    expect(inOurWords(issues, sent).map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([
      'mood: Please choose one of these',
      'moods.1: Please choose one of these',
    ])
  })

  it('is kept if the schema has its own', () => {
    expect(said(z.string({ error: 'Say something' }), 1)).toEqual(['Say something'])
  })
})
