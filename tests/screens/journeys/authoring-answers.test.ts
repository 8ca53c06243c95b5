/** Right answers of questions without options, written and answered without JavaScript. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beside, html, LIFT, openAuthoring, plain, valueIn } from './authoring-world.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
beforeAll(async () => {
  world = await openAuthoring()
})
afterAll(() => world?.site.close())

const ASK = { scoring: 'auto', max_score: '1', visibility: 'admins' }

describe('A right answer', () => {
  it('is saved with its feedback, which learners read, and is shown again in its form', async () => {
    const { adam, site, draft, launch } = world
    const { schedule, lifts } = await draft('Right answers', [{ title: 'One', when: 'launch' }])
    const [lift = ''] = lifts
    const editor = (more = '') => beside(schedule, `lifts/${lift}${more}`)
    const number = { ...ASK, kind: 'number', text: 'How many?', right_answer: 'ten' }
    const say = async (fields: Record<string, string>) =>
      plain(await (await adam.submit(editor('/prompts/number'), fields)).text())
    expect(await say(number)).toContain('Right answer: Please enter a number')
    const below = { ...number, right_answer: '1', max_score: '-3' }
    expect(await say(below)).toContain('Points: Please enter a number above 0')
    const right = { tolerance: '0.5', feedback_right: 'Ten it is.', feedback_wrong: 'It is ten.' }
    await adam.submit(editor('/prompts/number'), { ...number, ...right, right_answer: '10' })
    const yes = { ...ASK, kind: 'true_false', text: 'Is it so?', feedback_wrong: 'It is not.' }
    const unsaid = await adam.submit(editor('/prompts/true_false'), yes)
    expect(await unsaid.text()).toContain('Please give the right answer')
    await adam.submit(editor('/prompts/true_false'), { ...yes, right_answer: 'false' })
    const list = await html(adam, editor())
    const ids = [...list.matchAll(/value="prompts\/(\d+)/g)].map((found) => found[1] ?? '')
    expect(valueIn(await html(adam, editor(`/prompts/${ids[0]}`)), 'feedback_right')).toBe('Ten it is.')

    await launch(schedule, ['Uri'])
    const uri = await site.visitor('uri@northwind.example')
    const answers = { [`answer:${ids[0]}:number`]: '10.4', [`answer:${ids[1]}:true_false`]: 'true' }
    const answered = await uri.follow(await uri.submit(`/lift/${lift}`, { intent: 'answer', ...answers }))
    expect(plain(answered.html)).toContain('Ten it is.')
    expect(plain(answered.html)).toContain('It is not.')
  })
})

describe('The question of a new lift', () => {
  const asked = (...options: string[]) => ({
    ...{ ...LIFT, title: 'Refused', when: 'launch', question: 'Which one?' },
    ...Object.fromEntries(options.map((text, row) => [`options[${row}].text`, text])),
  })
  const refused = [
    ['with the same answer twice', asked('Same', 'same'), 'Answer 2: Two answers are the same'],
    [
      'with a blank answer marked as right',
      { ...asked('One', 'Two', ''), correct: '2' },
      'Answer 3: Please write the answer that is right',
    ],
    [
      'with feedback on a blank answer',
      { ...asked('One', 'Two', ''), 'options[2].feedback': 'Kept' },
      'Answer 3: Please write the answer too, or remove the feedback',
    ],
  ] as const

  it.each(refused)('is refused %s, and the lift is not saved', async (_, fields, why) => {
    const { adam, draft } = world
    const { schedule } = await draft('Refused', [])
    const said = await adam.submit(beside(schedule, 'lifts/new'), fields)
    expect(plain(await said.text())).toContain(why)
    expect(await html(adam, schedule)).not.toContain('/lift/t/')
  })
})
