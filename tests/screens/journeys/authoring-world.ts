/** Journeys written and launched through the forms, for tests of later steps. */
import { openSite } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

export const dateIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

export const LIFT = {
  sms_text: 'Hi {{first_name}}: {{link}}',
  completion_rule: 'all_required_prompts',
  est_minutes: '3',
  is_ready: 'on',
}
export const onDay = (days: number) => ({ when: 'date', date: dateIn(days), time: '12:00' })

export async function openAuthoring() {
  const site = await openSite()
  const adam = await site.visitor('adam@northwind.example')

  /** Creates a draft with some lifts; returns its schedule and the ids of the lifts in order. */
  async function draft(name: string, lifts: readonly Record<string, string>[]) {
    const made = await adam.submit('/lljs/manage/new', { name, category: 'Safety' })
    const schedule = made.headers.get('location') ?? ''
    for (const lift of lifts)
      await adam.submit(`${schedule}/lifts/new`, { ...LIFT, body: 'Some text.', ...lift })
    const ids = [...(await html(adam, schedule)).matchAll(/\/lift\/t\/(\d+)/g)].map((found) => found[1] ?? '')
    return { schedule, id: schedule.split('/')[2] ?? '', lifts: ids }
  }

  async function addLearner(schedule: string, name: string) {
    const page = await html(adam, `${beside(schedule, 'people/add')}?people=${name}`)
    const [, user_ids = ''] = page.match(/name="user_ids" value="(\d+)"/) ?? []
    await adam.submit(beside(schedule, 'people/add'), { intent: 'add-members', user_ids })
  }

  /** Adds learners by name and launches. */
  async function launch(schedule: string, people: readonly string[]) {
    for (const name of people) await addLearner(schedule, name)
    await adam.submit(`${schedule}/launch`, {
      expected_recipients: String(people.length),
      skip_past: 'false',
      send_now: 'true',
    })
  }
  return { site, adam, draft, addLearner, launch }
}

/** Another page of the journey with this schedule. */
export const beside = (schedule: string, page: string) => schedule.replace(/schedule$/, page)

/** The HTML of a page, without React's comments between texts. */
export async function html(visitor: Visitor, path: string): Promise<string> {
  const response = await visitor.visit(path)
  const text = await response.text()
  if (response.status !== 200)
    throw new Error(`${path}: ${response.status} ${response.headers.get('location')} ${text.slice(0, 300)}`)
  return plain(text)
}

export const plain = (text: string) => text.replaceAll('<!-- -->', '')
/** The texts of a page. */
export const words = (text: string) =>
  plain(text)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
export const valueIn = (page: string, name: string): string =>
  new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(page)?.[1] ?? ''
