/** A running journey in the demo: Uri learns, Sam sponsors him, Aya is the author and Adam administers the company. */
import { sql } from 'kysely'
import { connect } from '#app/db/connect.server.ts'
import { createJourney } from '#app/domain/journeys/journeys.server.ts'
import { PromptInput } from '#app/domain/lifts/prompt.ts'
import { changeMembers } from '#app/domain/participants/changing.server.ts'
import { addMembers } from '#app/domain/participants/members.server.ts'
import { createLift } from '#app/domain/running/edit-lifts.server.ts'
import { createPrompt } from '#app/domain/running/edit-prompts.server.ts'
import { launchJourney } from '#app/domain/running/launch.server.ts'
import { inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import { openSite } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { html } from './authoring-world.ts'

const PEOPLE = ['adam', 'aya', 'uri', 'sam'] as const
type Name = (typeof PEOPLE)[number]
const addressOf = (name: string) => `${name}@northwind.example`

export async function openSponsors(questions: Record<string, object>) {
  const site = await openSite()
  const database = connect(site.adminUrl, { max: 2 })
  const { rows } = await sql<{ id: number; tenant_id: string; email: string }>`
    select id::int, tenant_id, email from users where email = any(${PEOPLE.map(addressOf)})`.execute(database)
  const idOf = (name: Name) => rows.find(({ email }) => email === addressOf(name))?.id ?? 0
  const tenant_id = rows[0]?.tenant_id ?? ''
  const by = (name: Name) => ({ ...systemActor(tenant_id), user_id: idOf(name), email: addressOf(name) })
  const made = await inScope(database, by('aya'), (scope) =>
    launched(scope, questions, idOf('uri'), idOf('sam')),
  )

  /** Sends the lift's answer form, as without JavaScript. */
  async function answer(visitor: Visitor, values: Record<string, string>) {
    const path = `/lift/${made.lift}`
    const page = await html(visitor, path)
    const fields = Object.entries(values).map(([name, value]) => {
      const [question = '', part] = name.split('.')
      const found = new RegExp(`name="(answer:${made.ask[question]}:[a-z_]+${part ? `:${part}` : ''})"`).exec(
        page,
      )
      return [found?.[1] ?? `missing:${name}`, value]
    })
    return visitor.submit(path, Object.fromEntries(fields))
  }

  return {
    ...{ site, database, made, idOf, answer, as: by },
    visitor: (name: Name) => site.visitor(addressOf(name)),
    async close() {
      await database.destroy()
      await site.close()
    },
  }
}

async function launched(scope: Scope, questions: Record<string, object>, learner: number, sponsor: number) {
  const { id } = await createJourney(scope, {
    name: 'First ninety days',
    category: 'Safety',
    channels: ['email'],
  })
  const lift = await createLift(scope, id, {
    title: 'Ask before you answer',
    blocks: [{ kind: 'text', markdown: 'Ask **one** more question.' }],
    schedule: { kind: 'manual', at_launch: true },
    status: 'ready',
  })
  const ask: Record<string, number> = {}
  for (const [name, question] of Object.entries(questions))
    ask[name] = (await createPrompt(scope, lift.id, PromptInput.parse({ text: `${name}?`, ...question }))).id
  const added = await addMembers(scope, id, { user_ids: [learner], role: 'learner', exclude_data: false })
  const member_ids = added.data.map((member) => member.id)
  await changeMembers(scope, id, { member_ids, sponsor_user_id: sponsor })
  await launchJourney(scope, id, { skip_past: false, send_now: true })
  return { id, lift: lift.id, ask }
}
