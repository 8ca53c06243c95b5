/** The permission table as a document: docs/permissions.md. */
import { ROLES } from './actor.ts'
import { NAVIGATION } from './navigation.ts'
import { LIMITS, limitOf, PERMISSIONS, type Permission } from './permissions.ts'

const inWords = (name: string) => name.replaceAll('_', ' ')
const line = (...cells: string[]) => `| ${cells.join(' | ')} |`

export function permissionsPage(): string {
  const permissions = Object.entries(PERMISSIONS.super_admin).flatMap(([resource, actions]) =>
    Object.keys(actions).map((action) => `${resource}:${action}` as Permission),
  )
  return `# Who can do what

Written by \`npm run docs:permissions\` from \`app/domain/access\`; the API, the guards, the navigation and the
buttons ask the same table. A person with several roles can do what any of them allows.

${line('Permission', ...ROLES.map(inWords))}
${line(...Array(ROLES.length + 1).fill('---'))}
${permissions.map((one) => line(`\`${one}\``, ...ROLES.map((role) => cell(role, one)))).join('\n')}

## Side navigation

${line('Role', 'Places')}
${line('---', '---')}
${ROLES.map((role) => line(inWords(role), NAVIGATION[role].map(inWords).join(', '))).join('\n')}

Dashboard only: a super admin outside every tenant, and people who still have to choose a sub-tenant. Testing is shown in
the one testing tenant only. Authors see "Create New LLJ" where their company lets them create drafts. "Your learners" is shown to people who have learners.

## Beside the table

| What | Who |
| --- | --- |
| \`/settings/messages\` and \`GET /message_previews\`: every e-mail and text with examples for names; nothing is sent | people who have \`company:view\`: administrators, for the company or the sub-tenant they are in |
| \`GET /today\`: the home page | everyone who is signed in, about what is theirs: the work of administrators and authors, their lifts, their learners |
| \`/users/groups\` and \`/user_groups\`: groups of people | made and filled by people who have \`users:edit\`; added to journeys by people who have \`journeys:view\` |
| the weekly summary by e-mail | administrators and authors who ask for it at \`/settings/privacy\`; each of the journeys they can see |
| \`/unsubscribe/…\` and \`/mail_stops/{token}\` | the holder of the link of an e-mail, without signing in; it stops and gives back that person's e-mails and nothing else |
| webhooks, \`POST /api/v1/hooks/…\` | carriers, by their signature alone: no session, no API key and no role opens them |
`
}

function cell(role: (typeof ROLES)[number], permission: Permission): string {
  const limit = limitOf(role, permission)
  return limit ? LIMITS[limit] : '–'
}
